import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import type { ListMember } from '#shared/list-member.ts';
import type { MetadataChange, MetadataEntry } from '#shared/metadata.ts';
import { Breakable } from '#web/components/breakable.tsx';
import { Button } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import {
  entriesIn,
  formatValue,
  isLong,
  metadataOf,
  typeName,
} from '#web/entities/list-member/metadata-value.ts';
import { countText } from '#web/lib/format.ts';
import { messageOf } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';

const MetadataDialog = onDemand(() => import('./metadata-dialog.tsx'));

const SCROLLED = {
  role: 'region',
  tabIndex: 0,
  maxHeight: '136px',
  overflowY: 'auto',
  whiteSpace: 'pre-wrap',
} as const;

const columns: Column<MetadataEntry>[] = [
  { key: 'key', header: 'Key', cell: ({ key }) => <Breakable>{key}</Breakable> },
  { key: 'type', header: 'Type', width: '120px', cell: ({ value }) => typeName(value) },
  {
    key: 'value',
    header: 'Value',
    width: 'minmax(0, 2fr)',
    cell: ({ key, value }) =>
      isLong(value) ? (
        <Box {...SCROLLED} aria-label={`Value of ${key}`}>
          {formatValue(value, '')}
        </Box>
      ) : (
        <Box as="span" whiteSpace="pre-wrap">
          {formatValue(value, '')}
        </Box>
      ),
  },
];

type Props = {
  metadata: ListMember['metadata'] | undefined;
  update: (change: MetadataChange) => Promise<unknown>;
};

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
      actions={entries && entries.length > 0 && <AddButton onClick={() => setEditing('new')} />}
    >
      <DataTable
        label="Metadata"
        columns={columns}
        rows={entries}
        rowKey={({ key }) => key}
        count={countText(entries?.length, 'value')}
        expected={2}
        empty={
          <EmptyState
            title="No metadata yet"
            cause="Add what you know of this person: a name, a plan, the date of an order."
            action={<AddButton onClick={() => setEditing('new')} />}
          />
        }
        right={EDIT}
        actions={entry => [
          { id: 'edit', label: 'Edit', run: () => setEditing(entry) },
          { id: 'remove', label: 'Remove', danger: true, run: () => void remove(entry) },
        ]}
      />
      {editing && entries && (
        <MetadataDialog
          entry={editing === 'new' ? undefined : editing}
          metadata={metadataOf(entries)}
          update={update}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Section>
  );
}

const EDIT = 'list-members:edit';

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button right={EDIT} onClick={onClick}>
    Add metadata
  </Button>
);

const showError = (problem: unknown) => toast(messageOf(problem), 'error');
