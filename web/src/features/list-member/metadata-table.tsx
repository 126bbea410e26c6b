import { chakra } from '@chakra-ui/react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { ListMember } from '../../../../shared/list-member.ts';
import type { MetadataChange, MetadataEntry } from '../../../../shared/metadata.ts';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { messageOf } from '../../lib/problem.ts';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { entriesIn, isLong, metadataOf, showValue, typeName } from './metadata-value.ts';

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
          {showValue(value)}
        </Scrolled>
      ) : (
        <span className="whole" title={String(value)}>
          {showValue(value)}
        </span>
      ),
  },
];

/** Rows grow with what stands in them, and on a phone nothing lies beyond the edge. */
const Place = chakra('div', {
  base: {
    '& .whole': { display: 'block', py: '2', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
    '& td.actions > *': { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end' },
  },
});
const Scrolled = chakra('div', { base: { maxHeight: '136px', overflowY: 'auto' } });

type Props = {
  /** Undefined while it is loading. */
  metadata: ListMember['metadata'] | undefined;
  /** Changes some keys, and leaves the others. */
  put: (change: MetadataChange) => Promise<void>;
};

/** What is known of a member besides the address. */
export function MetadataTable({ metadata, put }: Props) {
  const [editing, setEditing] = useState<MetadataEntry | 'new'>();
  const [emptied, setEmptied] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const entries = metadata && entriesIn(metadata);

  async function remove({ key, value }: MetadataEntry) {
    passFocusOn(key);
    const restore = () => put({ [key]: value }).catch(tell);
    await put({ [key]: null }).then(() => toastUndoable(`${key} was removed.`, () => void restore()), tell);
  }

  /** To a neighbour, else to the button in their place, for the removed row would take it along. */
  function passFocusOn(key: string) {
    const rows = [...(place.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [])];
    const at = entries?.findIndex(entry => entry.key === key) ?? -1;
    (rows[at + 1] ?? rows[at - 1])?.focus();
    setEmptied(entries?.length === 1);
  }

  return (
    <Section
      title="Metadata"
      actions={
        entries && entries.length > 0 && <Button onClick={() => setEditing('new')}>Add metadata</Button>
      }
    >
      <Place ref={place}>
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
              action={
                <Button autoFocus={emptied} onClick={() => setEditing('new')}>
                  Add metadata
                </Button>
              }
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
      </Place>
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
