import { Button, ignoreDoubleClick } from '../components/button.tsx';
import type { GetRoute } from '../lib/cache-key.ts';
import { oneAtATime } from '../lib/concurrency.ts';
import { Cancelled } from '../lib/confirmation.ts';
import { confirmCall, invalidateAfter, revalidate } from '../lib/data.ts';
import { useOrganization } from '../lib/organization.ts';
import { isMissing } from '../lib/problem.ts';
import { dismissToastsAbout, toast, toastUndoable } from '../lib/toasts.ts';
import { type Entity, type Named, removeCached, updateCached } from './entity.ts';

const changes = oneAtATime();

export const verbOf = (isActive: boolean) => (isActive ? 'Deactivate' : 'Activate');

/** Shows a change at once, rolls it back on failure, offers an Undo. Each item has one request at a time, in order. */
export function useToggle<Item extends Named, One extends GetRoute>(entity: Entity<Item, One>) {
  const organization = useOrganization()?.id;
  const isChanging = changes.useIsChanging();
  const { put, paramsOf, activeField, texts, resultDuration } = entity;

  async function change(item: Item, active: boolean): Promise<void> {
    const { id } = item;
    const to = (value: boolean) => ({ [activeField]: value });
    try {
      const send = await confirmCall(put, { params: paramsOf(id), body: to(active), organization });
      await updateCached(entity, { organization, id }, to(active));
      await send();
    } catch (problem) {
      if (problem instanceof Cancelled) return;
      await updateCached(entity, { organization, id }, to(!active));
      toast(texts.notSwitched(problem), 'error', resultDuration);
      if (!isMissing(problem)) return;
      await removeCached(entity, { organization, id });
      // If its page is shown, that finds that the item is missing.
      await revalidate(entity.one);
      return;
    }
    toastUndoable({
      message: texts.switched(item, active),
      joined: texts.switchedAll && (count => texts.switchedAll?.(count, active) ?? ''),
      undo: () => void toggle(item, !active),
      about: id,
    });
    void invalidateAfter(put, organization);
  }

  const toggle = (item: Item, active: boolean) =>
    changes.run(item.id, () => {
      dismissToastsAbout(item.id);
      return change(item, active);
    });

  function actionOf(item: Item & Record<string, unknown>) {
    const active = Boolean(item[activeField]);
    return {
      id: 'active',
      label: verbOf(active),
      right: entity.right,
      run: () => void toggle(item, !active),
    };
  }

  return { toggle, isChanging, actionOf };
}

type Props<Item extends Named, One extends GetRoute> = {
  entity: Entity<Item, One>;
  item: (Item & Record<string, unknown>) | undefined;
  /** The page is about activating it. */
  isPrimary?: boolean;
};

export function ToggleButton<Item extends Named, One extends GetRoute>(props: Props<Item, One>) {
  const { entity, item, isPrimary = false } = props;
  const { toggle, isChanging } = useToggle(entity);
  const active = !item || Boolean(item[entity.activeField]);
  return (
    <Button
      variant={isPrimary && !active ? 'solid' : 'outline'}
      right={entity.right}
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
