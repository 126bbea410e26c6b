import { Box, Flex, Input } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import type { PersonExportPage } from '#shared/export.ts';
import type { Organization } from '#shared/organization.ts';
import type { RecordEntry, RecordPage } from '#shared/record.ts';
import { Button } from '#web/components/button.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Field } from '#web/components/field.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { usePersonExport } from '#web/entities/recipient/person-export.ts';
import { api } from '#web/lib/api.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { countText, formatMoment } from '#web/lib/format.ts';
import { organizationInput } from '#web/lib/organization.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';

const ErasePerson = onDemand(() => import('#web/entities/recipient/erase-person.tsx'));

const columns: Column<RecordEntry>[] = [
  { key: 'at', header: 'Erased', width: '200px', cell: ({ at }) => formatMoment(at) },
  { key: 'by', header: 'By', cell: ({ by }) => by?.name },
  { key: 'recipient', header: 'Hash of the address', width: '240px', cell: ({ object }) => object.id },
];

export default function PersonalData({ organization: { id } }: { organization: Organization }) {
  const { data, error, retry, showMore, isLoadingMore } = useRecord(id);
  return (
    <Section
      title="Personal data"
      note="Export or erase what is stored about a person, in all lists of the organization. Who was erased is recorded here without their address."
    >
      <PersonForm />
      <DataTable
        label="Erased people"
        columns={columns}
        rows={data?.data.filter(({ what }) => what === 'erased')}
        rowKey={({ id }) => id}
        count={data && (data.next_cursor ? undefined : countText(data.data.length, 'person', 'people'))}
        problem={error}
        failure="Failed to load the record"
        onRetry={retry}
        expected={1}
        empty={<EmptyState title="Nobody was erased" cause="Enter the address of a person to do so." />}
        more={
          data?.next_cursor && (
            <Button loading={isLoadingMore} loadingText="Loading..." onClick={() => void showMore()}>
              Load more
            </Button>
          )
        }
      />
    </Section>
  );
}

/** Finds a person by their address, even if they are in no list any more. */
function PersonForm() {
  const { load, save } = usePersonExport();
  const [email, setEmail] = useState('');
  const [running, setRunning] = useState<'export' | 'erase'>();
  const [fault, setFault] = useState<string>();
  const [erasing, setErasing] = useState<PersonExportPage>();

  async function run(what: 'export' | 'erase', action: () => Promise<unknown>) {
    if (running) return;
    setRunning(what);
    setFault(undefined);
    try {
      await action();
    } catch (problem) {
      setFault((problem instanceof Problem && problem.fields.email?.[0]) || messageOf(problem));
    } finally {
      setRunning(undefined);
    }
  }

  const exportPerson = () => void run('export', () => save(email));
  const askToErase = () => void run('erase', async () => setErasing(await load(email)));

  function submit(event: FormEvent) {
    event.preventDefault();
    exportPerson();
  }

  return (
    <Panel p="4" mb="4">
      <form onSubmit={submit} noValidate>
        <Flex wrap="wrap" align="flex-start" columnGap="2" rowGap="1">
          <Box flex="1 1 260px" maxWidth="420px">
            <Field label="Address of a person" error={fault}>
              <Input
                type="email"
                autoComplete="off"
                value={email}
                onChange={({ target }) => {
                  setEmail(target.value);
                  setFault(undefined);
                }}
              />
            </Field>
          </Box>
          {/* Beside the input, below its label. */}
          <Flex gap="2" mt={{ md: '24px' }}>
            <Button
              type="submit"
              loading={running !== undefined}
              loadingText={running === 'export' ? 'Exporting...' : 'Export data'}
            >
              Export data
            </Button>
            <Button loading={running !== undefined} loadingText="Erase person…" onClick={askToErase}>
              Erase person…
            </Button>
          </Flex>
        </Flex>
      </form>
      {erasing && (
        <ErasePerson person={erasing} onErased={() => setEmail('')} onClose={() => setErasing(undefined)} />
      )}
    </Panel>
  );
}

const RECORD = 'GET /api/organizations/{organization}/record';

/** The record of what was done in the organization, newest first, with as many pages as were requested. */
function useRecord(organization: number) {
  const pages = useRef(1);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const input = { params: { organization: String(organization) } };
  const fetcher = () => loadRecord(organization, pages.current);
  const { data, error, mutate } = useOrganizationData(RECORD, input, { fetcher });

  async function showMore() {
    pages.current++;
    setLoadingMore(true);
    await mutate();
    setLoadingMore(false);
  }

  return { data, error, retry: mutate, showMore, isLoadingMore };
}

async function loadRecord(organization: number, pages: number): Promise<RecordPage> {
  const input = organizationInput(organization);
  const query = { kind: 'person' } as const;
  const loaded = await api(RECORD, { ...input, query });
  for (let page = 1; page < pages && loaded.next_cursor; page++) {
    const next = await api(RECORD, { ...input, query: { ...query, cursor: loaded.next_cursor } });
    loaded.data.push(...next.data);
    loaded.next_cursor = next.next_cursor;
  }
  return loaded;
}
