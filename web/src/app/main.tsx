import { ChakraProvider } from '@chakra-ui/react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { SWRConfig } from 'swr';
import { preloadOverlays } from '../components/preload.ts';
import { paths } from '../lib/paths.ts';
import { followOtherTabs } from '../lib/session.ts';
import { system } from '../theme/system.ts';
import { routes } from './routes.tsx';
import { startPage } from './start-page.ts';

const router = createBrowserRouter(routes);

followOtherTabs(paths.login());
startPage(location.pathname);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ChakraProvider value={system}>
      {/* A failed request is retried by a button or on focus, never in the background. */}
      <SWRConfig value={{ shouldRetryOnError: false }}>
        <RouterProvider router={router} />
      </SWRConfig>
    </ChakraProvider>,
  );
  preloadOverlays();
}
