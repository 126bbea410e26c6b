import { ConfirmDialog } from './confirm-dialog.tsx';
import { preloadModal } from './modal.tsx';

/** Loads the code of dialogs, menus and tooltips when the page can be used, so that the first one opens at once. */
export function preloadOverlays() {
  const load = () =>
    Promise.all([
      preloadModal(),
      ConfirmDialog.preload(),
      import('./menu-content.tsx'),
      import('./tooltip-content.tsx'),
      // If this fails, the code is loaded again on demand.
    ]).catch(() => undefined);
  setTimeout(load, DELAY);
}

const DELAY = 1000;
