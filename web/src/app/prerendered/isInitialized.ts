import type { createBrowserRouter } from 'react-router';

type Router = ReturnType<typeof createBrowserRouter>;

/** Waits until the code of the first screen is there. False if that is not the screen of the path, or could not be loaded. */
export async function isInitialized(router: Router, pathname: string): Promise<boolean> {
  if (!router.state.initialized) {
    await new Promise<void>((done) => {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return;
        stop();
        done();
      });
    });
  }
  return router.state.errors === null && router.state.location.pathname === pathname;
}
