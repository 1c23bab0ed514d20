import { describe, expect, it } from 'vitest';
import { adminPanelTarget, publicSiteTarget, sectionOf } from './sections';

describe('sections', () => {
  it('depend on the path alone [NAV021] [NAV022] [NAV064]', () => {
    expect(sectionOf('/admin/overview')).toBe('admin');
    expect(sectionOf('/admin/anything')).toBe('admin');
    for (const path of ['/', '/admin', '/administrator', '/event/admin-x', '/login']) {
      expect(sectionOf(path)).toBe('public');
    }
  });

  it('lead from Access Denied to the admin panel [NAV071] [NAV072]', () => {
    expect(adminPanelTarget('/event/x')).toBe('/admin/login');
    expect(adminPanelTarget('/admin/overview')).toBe('/admin/login');
    for (const path of ['/admin/login', '/admin/register', '/admin/upload', '/admin/gallery']) {
      expect(adminPanelTarget(path)).toBe(path);
    }
  });

  it('lead from Access Denied to the public site [NAV073] [NAV074]', () => {
    expect(publicSiteTarget('/event/sangeet-k7m2x9q4tr')).toBe('/event/sangeet-k7m2x9q4tr');
    expect(publicSiteTarget('/admin/overview')).toBe('/');
  });
});
