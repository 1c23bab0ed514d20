import { type ComponentType, useState } from 'react';
import { createBrowserRouter } from 'react-router';
import { setTransport } from '../../platform/api/authorizedFetch';
import { setUpload } from '../../platform/api/upload';
import { keepStorageInMemory } from '../../platform/storage/memoryStorage';
import { storedLanguage, storedToken, storedUser } from '../../platform/storage/storage';
import { selectEvent } from '../../platform/session/selection';
import { App } from '../App';
import { createDemoServer } from './demoServer';
import { demoRoutes } from './demoRoutes';
import { demoPath } from './path';
import { sampleData } from './sampleData';

function DemoApp() {
  const [router] = useState(() => createBrowserRouter(demoRoutes, { basename: demoPath }));
  return <App router={router} />;
}

/**
 * Makes this document the demo: the screens of the admin section with a photographer who is logged in to a server in
 * memory. Neither the browser's storage nor the real server is used.
 */
export function startDemo(): ComponentType {
  const data = sampleData(Date.now());
  const server = createDemoServer(data);
  const language = storedLanguage.read();
  keepStorageInMemory();
  if (language !== null) storedLanguage.write(language);
  setTransport(server.transport);
  setUpload(server.upload);
  storedToken.write('demo');
  storedUser.write({ ...data.user, pending_email: null });
  const [event] = data.events;
  if (event !== undefined) selectEvent(event);
  return DemoApp;
}
