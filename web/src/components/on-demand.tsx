import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { PRODUCT } from '#shared/brand.ts';
import { toast } from '../lib/toasts.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Loads code when it is first shown. Without a `fallback`, a part that cannot be loaded is closed, and the page stays. */
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
    // A lazy component is shown at least 300 ms after its fallback, even if its code is loaded. So a loaded one is used
    // directly.
    const [Component] = useState(() => Ready ?? Loaded);
    return (
      <Suspense fallback={fallback}>
        <Component {...props} />
      </Suspense>
    );
  }
  Part.preload = preload;
  /** Can also be shown while the data of the component is loading. */
  Part.fallback = fallback;
  return Part;
}

/** Browsers do not retry a failed module import. Only a reload of the page does. */
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
