import type { ReactNode } from 'react';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import type { GetRoute } from '../lib/cache-key.ts';
import { useOrganizationCall } from '../lib/data.ts';
import { useOrganization } from '../lib/organization.ts';
import { unlessMissing } from '../lib/problem.ts';
import { toast } from '../lib/toasts.ts';
import { useNavigateFromHere } from '../lib/use-navigate-from-here.ts';
import { type Entity, type Named, removeCached } from './entity.ts';

type Props<Item extends Named, One extends GetRoute> = {
  entity: Entity<Item, One>;
  item: Item;
  title?: string;
  confirm: string;
  /** A name that the user has to type first. */
  typed?: string;
  failure: string;
  /** The page of the item navigates to the overview before the item is removed from the cache. */
  leaves?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
};

export function DeleteEntity<Item extends Named, One extends GetRoute>({
  entity,
  item,
  title,
  leaves,
  ...dialog
}: Props<Item, One>) {
  const call = useOrganizationCall();
  const { navigate, isLeft } = useNavigateFromHere();
  const organization = useOrganization()?.id;
  const { remove, paramsOf, home, nameOf, texts, resultDuration } = entity;

  async function confirmed() {
    await call(remove, { params: paramsOf(item.id) } as never).catch(unlessMissing);
    if (leaves && !isLeft()) await navigate(home, { replace: true });
    await removeCached(entity, { organization, id: item.id });
    toast(texts.deleted(item), 'success', resultDuration);
  }

  return (
    <ConfirmDialog
      {...dialog}
      title={title ?? `Delete ${nameOf(item)}?`}
      loadingText="Deleting..."
      onConfirm={confirmed}
    />
  );
}
