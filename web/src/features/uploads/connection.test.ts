import { describe, expect, it, vi } from 'vitest';
import { refusal, standInServer } from '../../shared/testing/server';
import { measureConnection, speedOf } from './connection';

describe('the connection', () => {
  it('is fast under 100 ms, medium under 150 ms, slow otherwise [UPL051] [UPL052] [UPL053] [CONST012]', () => {
    expect([0, 99.9].map(speedOf)).toEqual(['fast', 'fast']);
    expect([100, 149.9].map(speedOf)).toEqual(['medium', 'medium']);
    expect([150, 5000].map(speedOf)).toEqual(['slow', 'slow']);
  });

  it('is measured with a HEAD request to the health endpoint [UPL050]', async () => {
    const server = standInServer({ 'HEAD /api/health': () => new Response(null) });
    vi.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValueOnce(1040);
    expect(await measureConnection()).toBe('fast');
    expect(server.callsTo('HEAD /api/health')).toHaveLength(1);
  });

  it('counts as slow when the request fails [UPL054]', async () => {
    standInServer({});
    expect(await measureConnection()).toBe('slow');
    standInServer({ 'HEAD /api/health': () => refusal(503) });
    expect(await measureConnection()).toBe('slow');
  });

  it('is logged when its latency is above 200 ms [UPL055] [CONST013]', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    standInServer({ 'HEAD /api/health': () => new Response(null) });
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(200);
    expect(await measureConnection()).toBe('slow');
    expect(log).not.toHaveBeenCalled();
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(201);
    await measureConnection();
    expect(log).toHaveBeenCalledWith('High latency: 201 ms');
  });
});
