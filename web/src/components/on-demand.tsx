import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code is loaded when it is first shown; `room` keeps its place meanwhile. */
export function onDemand<Props extends object>(load: Load<Props>, room?: ReactNode) {
  const Loaded = lazy(load);
  return (props: Props) => (
    <Suspense fallback={room}>
      <Loaded {...props} />
    </Suspense>
  );
}
