/** The theme's CSS variables; vite.config.ts makes it. */
declare module 'virtual:theme.css';
