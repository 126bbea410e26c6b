import { chakra } from '@chakra-ui/react';
import { lazy, Suspense, useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import type { MetadataChange, MetadataEntry } from '../../../../shared/metadata.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { messageOf } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { entriesIn, formatValue, isLong, metadataOf, typeName } from './metadata-value.ts';

const MetadataDialog = lazy(() => import('./metadata-dialog.tsx'));

const columns: Column<MetadataEntry>[] = [
  {
    key: 'key',
    header: 'Key',
    width: 'clamp(88px, 22vw, 280px)',
    cell: ({ key }) => <span className="whole">{key}</span>,
  },
  {
    key: 'type',
    header: 'Type',
    width: 'clamp(68px, 17vw, 120px)',
    cell: ({ value }) => <span className="whole">{typeName(value)}</span>,
  },
  {
    key: 'value',
    header: 'Value',
    cell: ({ key, value }) =>
      isLong(value) ? (
        <Scrolled className="whole" role="region" aria-label={`Value of ${key}`} tabIndex={0}>
          {formatValue(value)}
        </Scrolled>
      ) : (
        <span className="whole" title={String(value)}>
          {formatValue(value)}
        </span>
      ),
  },
];

/** Rows grow with their content, and nothing overflows the viewport of a phone. */
const TableFrame = chakra('div', {
  base: {
    '& .whole': { display: 'block', py: '2', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
    '& td.actions > *': { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end' },
  },
});
const Scrolled = chakra('div', { base: { maxHeight: '136px', overflowY: 'auto' } });

type Props = {
  /** Undefined while it is loading. */
  metadata: ListMember['metadata'] | undefined;
  /** Sets or removes the given keys only. */
  update: (change: MetadataChange) => Promise<void>;
};

/** The metadata of a member, edited in a dialog. */
export function MetadataTable({ metadata, update }: Props) {
  const [editing, setEditing] = useState<MetadataEntry | 'new'>();
  const entries = metadata && entriesIn(metadata);

  async function remove({ key, value }: MetadataEntry) {
    const restore = () => update({ [key]: value }).catch(showError);
    await update({ [key]: null }).then(
      () => toastUndoable({ message: `${key} was removed.`, undo: () => void restore() }),
      showError,
    );
  }

  return (
    <Section
      title="Metadata"
      actions={
        entries && entries.length > 0 && <Button onClick={() => setEditing('new')}>Add metadata</Button>
      }
    >
      <TableFrame>
        <DataTable
          label="Metadata"
          columns={columns}
          rows={entries}
          rowKey={({ key }) => key}
          expected={2}
          actionsWidth="clamp(76px, 20vw, 140px)"
          minWidth="320px"
          empty={
            <EmptyState
              title="No metadata"
              cause="What you know of this person: a name, a plan, the date of an order."
              action={<Button onClick={() => setEditing('new')}>Add metadata</Button>}
            />
          }
          actions={entry => (
            <span>
              <Button variant="ghost" aria-label={`Edit ${entry.key}`} onClick={() => setEditing(entry)}>
                Edit
              </Button>
              <Button variant="ghost" aria-label={`Remove ${entry.key}`} onClick={() => void remove(entry)}>
                Remove
              </Button>
            </span>
          )}
        />
      </TableFrame>
      {editing && entries && (
        <Suspense>
          <MetadataDialog
            entry={editing === 'new' ? undefined : editing}
            metadata={metadataOf(entries)}
            update={update}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Section>
  );
}

const showError = (problem: unknown) => toast(messageOf(problem), 'error');
