import { type LoaderFunction, redirect, redirectDocument, type RouteObject } from 'react-router';
import { adminRoutes, HydrateFallback } from '../routes';
import { RouteError } from '../RouteError';
import { DemoLayout } from './DemoLayout';
import { demoPath } from './path';

/** Leaves the demo for the screen of the app at this path. */
const leave: LoaderFunction = ({ request }) => {
  const { origin, pathname } = new URL(request.url);
  return redirectDocument(new URL(pathname.slice(demoPath.length) || '/', origin).href);
};

/** The admin section; every other path is one of the app. */
export const demoRoutes: RouteObject[] = [
  {
    element: <DemoLayout />,
    errorElement: <RouteError />,
    HydrateFallback,
    children: [
      { path: '/', loader: () => redirect('/admin/overview') },
      { path: '/admin', loader: () => redirect('/admin/overview') },
      adminRoutes,
      { path: '*', loader: leave },
    ],
  },
];
