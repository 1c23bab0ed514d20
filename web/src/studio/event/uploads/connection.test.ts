import { describe, expect, it, vi } from 'vitest';
import { errorResponse, mockServer } from '../../../testing/server';
import { classifyLatency, measureConnection, waitUntilReachable } from './connection';

describe('the connection', () => {
  it('is fast under 100 ms, medium under 150 ms, slow otherwise [UPL051] [UPL052] [UPL053] [CONST012]', () => {
    expect([0, 99.9].map(classifyLatency)).toEqual(['fast', 'fast']);
    expect([100, 149.9].map(classifyLatency)).toEqual(['medium', 'medium']);
    expect([150, 5000].map(classifyLatency)).toEqual(['slow', 'slow']);
  });

  it('is measured with a HEAD request to the health endpoint [UPL050]', async () => {
    const server = mockServer({ 'HEAD /api/health': () => new Response(null) });
    vi.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValueOnce(1040);
    expect(await measureConnection()).toBe('fast');
    expect(server.callsTo('HEAD /api/health')).toHaveLength(1);
  });

  it('counts as slow when the request fails [UPL054]', async () => {
    mockServer({});
    expect(await measureConnection()).toBe('slow');
    mockServer({ 'HEAD /api/health': () => errorResponse(503) });
    expect(await measureConnection()).toBe('slow');
  });

  it('counts as slow when the server has not answered for 3 s', async () => {
    vi.useFakeTimers();
    mockServer({ 'HEAD /api/health': () => new Promise(() => undefined) });
    const speed = vi.fn();
    void measureConnection().then(speed);
    await vi.advanceTimersByTimeAsync(2999);
    expect(speed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(speed).toHaveBeenCalledWith('slow');
  });

  it('is logged when its latency is above 200 ms [UPL055] [CONST013]', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    mockServer({ 'HEAD /api/health': () => new Response(null) });
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(200);
    expect(await measureConnection()).toBe('slow');
    expect(log).not.toHaveBeenCalled();
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(201);
    await measureConnection();
    expect(log).toHaveBeenCalledWith('High latency: 201 ms');
  });
});

describe('an unreachable server', () => {
  it('is checked every 5 s, and immediately when the browser is online again', async () => {
    vi.useFakeTimers();
    let up = false;
    const server = mockServer({ 'HEAD /api/health': () => (up ? new Response(null) : errorResponse(503)) });
    const onReachable = vi.fn();
    void waitUntilReachable(new AbortController().signal).then(onReachable);
    await vi.advanceTimersByTimeAsync(4999);
    expect(server.calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(5001);
    expect(server.calls).toHaveLength(2);
    expect(onReachable).not.toHaveBeenCalled();
    up = true;
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(onReachable).toHaveBeenCalledOnce();
  });

  it('is checked again when a check has not been answered for 3 s', async () => {
    vi.useFakeTimers();
    const server = mockServer({ 'HEAD /api/health': () => new Promise(() => undefined) });
    void waitUntilReachable(new AbortController().signal);
    await vi.advanceTimersByTimeAsync(5000);
    expect(server.calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(8000);
    expect(server.calls).toHaveLength(2);
  });

  it('is not checked any more after an abort', async () => {
    const server = mockServer({});
    const controller = new AbortController();
    const reached = waitUntilReachable(controller.signal);
    controller.abort();
    await reached;
    expect(server.calls).toHaveLength(0);
  });
});
