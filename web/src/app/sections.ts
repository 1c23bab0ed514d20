export type Section = 'admin' | 'public';

/** The section of a page is its path: what starts with /admin/ is admin, everything else public. */
export const sectionOf = (path: string): Section => (path.startsWith('/admin/') ? 'admin' : 'public');

const adminDoors = ['/admin/login', '/admin/register', '/admin/upload', '/admin/gallery'];

/** Where the Access Denied button to the admin panel leads. */
export const adminPanelTarget = (path: string): string =>
  adminDoors.some((door) => path.startsWith(door)) ? path : '/admin/login';

/** Where the Access Denied button to the public site leads. */
export const publicSiteTarget = (path: string): string => (path.startsWith('/event') ? path : '/');
