import type { EmailList } from '#shared/list.ts';
import { plural } from '#web/lib/format.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import { LIST } from './list.ts';

type Props = { list: EmailList; leaves?: boolean; onClose: () => void };

/** The list's name has to be typed, as its members are deleted too. */
export const DeleteList = ({ list, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={LIST}
    item={list}
    confirm="Delete list"
    typed={list.name}
    failure="Failed to delete list. Please try again"
  >
    {list.members_count === 0
      ? 'The list has no members. Its settings and its sending key are deleted.'
      : `Its ${plural(list.members_count, 'member')}, with their metadata, its settings and its sending key are deleted.`}{' '}
    Nothing more is sent to it. This cannot be undone.
  </DeleteEntity>
);
