import { ConfirmDialog } from './confirm-dialog.tsx';
import { LazyModal } from './modal.tsx';

/** Loads the code of dialogs, menus and tooltips once the page can be used, so that the first one opens at once. */
export function preloadOverlays() {
  const load = () =>
    Promise.all([
      LazyModal.preload(),
      ConfirmDialog.preload(),
      import('./menu-content.tsx'),
      import('./tooltip-content.tsx'),
      // What fails now is loaded when it is needed.
    ]).catch(() => undefined);
  setTimeout(load, DELAY);
}

const DELAY = 1000;
