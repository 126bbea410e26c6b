import { Box, Flex, Text } from '@chakra-ui/react';
import { type ComponentProps, useState } from 'react';
import { useParams } from 'react-router';
import { ANY_TIME } from '#shared/schedule.ts';
import type { Sequence } from '#shared/sequence.ts';
import { TextLink } from '#web/components/button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Page } from '#web/components/page.tsx';
import { PageActions } from '#web/components/page-actions.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { AudienceSentence } from '#web/entities/audience/audience.tsx';
import { MailingStatus } from '#web/entities/automation/automation.tsx';
import {
  DeleteSequence,
  lackOfSequence,
  SEQUENCE,
  sequenceObstacles,
  useSequence,
} from '#web/entities/automation/sequence.tsx';
import { ToggleButton } from '#web/entities/toggle.tsx';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { MailsExisting, ObstacleNotices } from '../obstacle-notices.tsx';
import { SendTimesFacts } from '../send-times-facts.tsx';
import { Steps } from './steps.tsx';

type Props = Pick<ComponentProps<typeof Steps>, 'Writer'>;

/** `Writer` is the dialog that writes the email of a step. */
export function SequenceDetails(props: Props) {
  const { sequence: id = '' } = useParams();
  const { data } = useSequence(id);
  return data ? (
    <Loaded {...props} sequence={data} />
  ) : (
    <Page key="loading" title="Sequence">
      <Loading shape={[40, 24, 132, 132, 132]} />
    </Page>
  );
}

function Loaded({ sequence, Writer }: Props & { sequence: Sequence }) {
  const { id, name, active } = sequence;
  const { right } = SEQUENCE;
  const organization = useOrganization();
  const [deleting, setDeleting] = useState(false);
  return (
    <Page
      title={name}
      actions={
        <PageActions
          items={[
            {
              id: 'delete',
              label: 'Delete sequence',
              danger: true,
              right,
              inMenu: true,
              run: () => setDeleting(true),
            },
            { id: 'edit', label: 'Edit sequence', to: paths.editSequence(id), right },
            {
              id: 'active',
              label: '',
              right,
              button: <ToggleButton entity={SEQUENCE} item={sequence} isPrimary />,
            },
          ]}
        />
      }
    >
      <Box mb="4" fontWeight="medium">
        <MailingStatus mailing={sequence} lack={lackOfSequence(sequence)} />
      </Box>
      <ObstacleNotices
        obstacles={sequenceObstacles(sequence, organization)}
        isActive={active}
        about={sequence.mails_existing ? [<MailsExisting key="existing" />] : []}
      />
      <Section title="Steps">
        <Steps key={id} sequence={sequence} Writer={Writer} />
      </Section>
      <Section title="Settings">
        <Settings {...sequence} />
      </Section>
      {deleting && <DeleteSequence sequence={sequence} leaves onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Settings(sequence: Sequence) {
  const { email_lists, metadata_trigger, starts_at, audience } = sequence;
  return (
    <Panel p="4">
      <Facts>
        <Fact name="Starts">
          {metadata_trigger
            ? `At ${starts_at === 'event' ? 'the event ' : ''}${metadata_trigger}`
            : 'When a member is added'}
        </Fact>
        <Fact name="Email Lists">
          {email_lists.length === 0 ? (
            <Text color="fg.muted">None</Text>
          ) : (
            <Flex wrap="wrap" columnGap="3">
              {email_lists.map(list => (
                <TextLink key={list.id} to={paths.list(list.id)}>
                  {list.name}
                </TextLink>
              ))}
            </Flex>
          )}
        </Fact>
        <SendTimesFacts automation={{ ...ANY_TIME, ...sequence }} />
        <Fact name="Who gets it">
          {audience ? <AudienceSentence audience={audience} /> : 'Everybody on its lists'}
        </Fact>
      </Facts>
    </Panel>
  );
}
