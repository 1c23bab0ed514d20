/** The path below which the screens of the demo have their usual paths. */
export const demoPath = '/demo';

/** Whether a document with this path is one of the demo's screens. */
export const isDemoPath = (path: string): boolean => path.startsWith(`${demoPath}/`);
