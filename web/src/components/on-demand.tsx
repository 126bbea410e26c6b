import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { PRODUCT } from '../../../shared/brand.ts';
import { toast } from '../lib/toasts.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A component whose code is loaded when it is first shown. What is part of a page shows the `fallback` meanwhile, and the page
 * fails with it. Anything else, such as a dialog, is closed with a message if it could not be loaded: the page, and what
 * was entered there, stay.
 */
export function onDemand<Props extends object>(load: Load<Props>, fallback?: ReactNode) {
  let Ready: ComponentType<Props> | undefined;
  async function preload() {
    const module = await load();
    Ready = module.default;
    return module;
  }
  const Loaded = lazy(
    fallback === undefined ? () => preload().catch(() => ({ default: NotLoaded })) : preload,
  );

  function Part(props: Props) {
    // React shows a lazy component a third of a second after its fallback, also where its code is there.
    const [Component] = useState(() => Ready ?? Loaded);
    return (
      <Suspense fallback={fallback}>
        <Component {...props} />
      </Suspense>
    );
  }
  /** Loads its code before it is shown. */
  Part.preload = preload;
  /** Also for while its data is loaded. */
  Part.fallback = fallback;
  return Part;
}

/** Browsers do not fetch a module again that failed: only reloading the page does. */
function NotLoaded({ onClose }: { onClose?: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    toast(
      `A part of ${PRODUCT} could not be loaded. Reload the page to try again.`,
      'error',
      MESSAGE_DURATION,
    );
    onClose?.();
  }, []);
  return null;
}

const MESSAGE_DURATION = 6000;
