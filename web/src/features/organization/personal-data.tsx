import { Box, Flex, Input } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import type { PersonExportPage } from '#shared/export.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { Field } from '#web/components/field.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { usePersonExport } from '#web/entities/recipient/person-export.ts';
import { changesPath } from '#web/lib/paths.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';

const ErasePerson = onDemand(() => import('#web/entities/recipient/erase-person.tsx'));

export default function PersonalData() {
  return (
    <Section
      title="Personal data"
      note="Export or erase what is stored about a person, in all lists of the organization. Each export and erasure is recorded without their address."
      actions={<TextLink to={changesPath({ kind: 'person' })}>Exports and erasures</TextLink>}
    >
      <PersonForm />
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
