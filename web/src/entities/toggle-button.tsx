import { Button, ignoreDoubleClick } from '../components/button.tsx';
import type { GetRoute } from '../lib/cache-key.ts';
import type { Entity, Named } from './entity.ts';
import { useToggle, verbOf } from './use-toggle.ts';

type Props<Item extends Named, One extends GetRoute> = {
  entity: Entity<Item, One>;
  /** Undefined while it is loading. */
  item: (Item & Record<string, unknown>) | undefined;
};

/** The button on the page of an item that switches it on or off. */
export function ToggleButton<Item extends Named, One extends GetRoute>({ entity, item }: Props<Item, One>) {
  const { toggle, isChanging } = useToggle(entity);
  const active = !item || Boolean(item[entity.activeField]);
  return (
    <Button
      disabled={!item}
      loading={item && isChanging(item.id)}
      loadingText={verbOf(active)}
      onClickCapture={ignoreDoubleClick}
      onClick={() => item && void toggle(item, !active)}
    >
      {verbOf(active)}
    </Button>
  );
}
