import { lazy, Suspense, useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import type { MetadataChange, MetadataEntry } from '../../../../shared/metadata.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { messageOf } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { entriesIn, metadataOf, showValue, typeName } from './metadata-value.ts';

const MetadataDialog = lazy(() => import('./metadata-dialog.tsx'));

const columns: Column<MetadataEntry>[] = [
  { key: 'key', header: 'Key', cell: ({ key }) => key },
  { key: 'type', header: 'Type', width: '120px', cell: ({ value }) => typeName(value) },
  {
    key: 'value',
    header: 'Value',
    cell: ({ value }) => <span title={String(value)}>{showValue(value)}</span>,
  },
];

type Props = {
  /** Undefined while it is loading. */
  metadata: ListMember['metadata'] | undefined;
  /** Changes some keys, and leaves the others. */
  put: (change: MetadataChange) => Promise<void>;
};

/** What is known of a member besides the address. */
export function MetadataTable({ metadata, put }: Props) {
  const [editing, setEditing] = useState<MetadataEntry | 'new'>();
  const entries = metadata && entriesIn(metadata);

  async function remove({ key, value }: MetadataEntry) {
    const restore = () => put({ [key]: value }).catch(tell);
    await put({ [key]: null }).then(() => toastUndoable(`${key} was removed.`, () => void restore()), tell);
  }

  return (
    <Section
      title="Metadata"
      actions={
        entries && entries.length > 0 && <Button onClick={() => setEditing('new')}>Add metadata</Button>
      }
    >
      <DataTable
        label="Metadata"
        columns={columns}
        rows={entries}
        rowKey={({ key }) => key}
        expected={2}
        actionsWidth="140px"
        minWidth="560px"
        empty={
          <EmptyState
            title="No metadata"
            cause="What you know of this person: a name, a plan, the date of an order."
            action={<Button onClick={() => setEditing('new')}>Add metadata</Button>}
          />
        }
        actions={entry => (
          <span>
            <Button look="quiet" aria-label={`Edit ${entry.key}`} onClick={() => setEditing(entry)}>
              Edit
            </Button>
            <Button look="quiet" aria-label={`Remove ${entry.key}`} onClick={() => void remove(entry)}>
              Remove
            </Button>
          </span>
        )}
      />
      {editing && entries && (
        <Suspense>
          <MetadataDialog
            entry={editing === 'new' ? undefined : editing}
            among={metadataOf(entries)}
            put={put}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Section>
  );
}

const tell = (problem: unknown) => toast(messageOf(problem), 'error');
