export type Section = 'admin' | 'public';

/** The section of a path: admin if it starts with /admin/, public otherwise. */
export const sectionOf = (path: string): Section => (path.startsWith('/admin/') ? 'admin' : 'public');

const adminEntryPaths = ['/admin/login', '/admin/register', '/admin/upload', '/admin/gallery'];

/** The target of the Access Denied button to the admin panel. */
export const adminPanelTarget = (path: string): string =>
  adminEntryPaths.some((entry) => path.startsWith(entry)) ? path : '/admin/login';

/** The target of the Access Denied button to the public site. */
export const publicSiteTarget = (path: string): string => (path.startsWith('/event') ? path : '/');
