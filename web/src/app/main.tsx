import { ChakraProvider } from '@chakra-ui/react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { SWRConfig } from 'swr';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { preloadModal } from '../components/modal.tsx';
import { paths } from '../lib/paths.ts';
import { followOtherTabs } from '../lib/session.ts';
import { system } from '../theme/system.ts';
import { routes } from './routes.tsx';
import { startPage } from './start-page.ts';

const OVERLAYS_AFTER_MS = 1000;

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
  setTimeout(preloadOverlays, OVERLAYS_AFTER_MS);
}

/** Loads the code of dialogs, menus and tooltips when the page can be used, so that the first one opens at once. */
function preloadOverlays() {
  Promise.all([
    preloadModal(),
    ConfirmDialog.preload(),
    import('../components/menu-content.tsx'),
    import('../components/tooltip-content.tsx'),
    // If this fails, the code is loaded again on demand.
  ]).catch(() => undefined);
}
