import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type * as z from 'zod/mini';
import {
  type DnsRecord,
  type Identity,
  type IdentityStatus,
  NewTrackingDomain,
  type TrackingDomain as Tracking,
  type TrackingStatus,
} from '#shared/identity.ts';
import type { EmailList } from '#shared/list.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { CopiedText } from '#web/components/copied-text.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice, type Tone } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { Section } from '#web/components/section.tsx';
import { OTHER_STATE, Status } from '#web/components/status.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { formatMoment } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { NextStep } from './sending-key.tsx';

const { TextField } = fieldsOf<z.input<typeof NewTrackingDomain>>();

type State = { word: string; tone: Parameters<typeof Status>[0]['tone']; notice: Tone };
type Kind = {
  title: string;
  note: string;
  path: 'ses-identity' | 'tracking-domain';
  /** What its buttons say: the sections of both may stand on one page. */
  add: string;
  check: string;
  remove: string;
  states: Partial<Record<string, State>>;
  /** Asked before it is removed. */
  removal: (domain: string) => string;
};

/** The domain of a list at Amazon SES. */
const SENDING: Kind = {
  title: 'Sending domain',
  note: 'Amazon SES accepts emails of this list when records in the DNS show that its domain is yours. There is no key to set.',
  path: 'ses-identity',
  add: 'Add domain',
  check: 'Check',
  remove: 'Remove domain',
  states: {
    unclaimed: { word: 'Not added', tone: 'off', notice: 'info' },
    pending: { word: 'Not verified', tone: 'attention', notice: 'info' },
    verified: { word: 'Verified', tone: 'usual', notice: 'success' },
    taken: { word: 'Used by another organization', tone: 'wrong', notice: 'warning' },
    failed: { word: 'Failed', tone: 'wrong', notice: 'warning' },
  } satisfies Record<IdentityStatus, State>,
  removal: domain =>
    `No list of this organization can send from ${domain} through Amazon SES until it is added and verified again. Its records may be others then.`,
};

/** The domain of the links in emails of a list. */
const TRACKING: Kind = {
  title: 'Tracking domain',
  note: 'Links in emails of this list can go through a domain of yours: recipients and spam filters trust it more than one of another company.',
  path: 'tracking-domain',
  add: 'Add tracking domain',
  check: 'Check record',
  remove: 'Remove tracking domain',
  states: {
    unavailable: { word: 'Not available', tone: 'off', notice: 'info' },
    unclaimed: { word: 'Not added', tone: 'off', notice: 'info' },
    pending: { word: 'Waiting for its record', tone: 'attention', notice: 'info' },
    issuing: { word: 'Waiting for its certificate', tone: 'attention', notice: 'info' },
    active: { word: 'Active', tone: 'usual', notice: 'success' },
    taken: { word: 'Used by somebody else', tone: 'wrong', notice: 'warning' },
    failed: { word: 'Failed', tone: 'wrong', notice: 'warning' },
  } satisfies Record<TrackingStatus, State>,
  removal: domain =>
    `Links of new emails get the address of this site. Links already sent lead to ${domain}: they work as long as you leave its record in the DNS.`,
};

type Props = { list: EmailList };
type Answer = Identity | Tracking;

export const SendingDomain = ({ list }: Props) => <ListDomain list={list} kind={SENDING} />;
export const TrackingDomain = ({ list }: Props) => <ListDomain list={list} kind={TRACKING} />;

/** A domain of a list: the records for its DNS, whether they are found, and what to do next. */
function ListDomain({ list, kind }: Props & { kind: Kind }) {
  const input = { params: { list: list.id } };
  const { data, error, mutate } = useOrganizationData(`GET /api/email-lists/{list}/${kind.path}`, input);
  return (
    <Section title={kind.title} note={kind.note}>
      {data ? (
        <Domain list={list} kind={kind} answer={data} />
      ) : error ? (
        <Failure
          problem={error}
          fallback={`Failed to load the ${kind.title.toLowerCase()}. Please try again.`}
          onRetry={mutate}
        />
      ) : (
        <Loading shape={['line', 38, 160]} />
      )}
    </Section>
  );
}

const OTHER = { ...OTHER_STATE, notice: 'info' as const };

function Domain({ list, kind, answer }: Props & { kind: Kind; answer: Answer }) {
  const mayEdit = useMay()('sending-key:edit');
  const { status, domain, records, checked_at } = answer;
  const { word, tone, notice } = kind.states[status] ?? OTHER;
  const work = useDomain(list, kind, answer);
  const keptFocus = useKeptFocus(frame => frame.querySelector<HTMLElement>('button'));
  const isAdded = records.length > 0 || !['unavailable', 'unclaimed'].includes(status);
  return (
    <>
      <Facts>
        {(isAdded || kind === SENDING) && (
          <Fact name="Domain">
            <Box as="span" overflowWrap="anywhere">
              {domain}
            </Box>
          </Fact>
        )}
        <Fact name="Status">
          <Status tone={tone}>{word}</Status>
        </Fact>
        {isAdded && <Fact name="Last checked">{checked_at ? formatMoment(checked_at) : 'Never'}</Fact>}
      </Facts>
      <Notice tone={notice} mt="3" action={status === 'verified' && <NextStep list={list} />}>
        {work.message}
      </Notice>
      {mayEdit ? (
        <Flex wrap="wrap" gap="2" mt="3" {...keptFocus}>
          {isAdded ? (
            <>
              <Button
                loading={work.isRunning}
                loadingText="Checking..."
                onClick={() => void work.run('check')}
              >
                {checked_at && kind === SENDING ? 'Check again' : kind.check}
              </Button>
              <RemoveDomain list={list} kind={kind} domain={domain} />
            </>
          ) : kind === SENDING ? (
            <Button loading={work.isRunning} loadingText="Adding..." onClick={() => void work.run('add')}>
              {kind.add}
            </Button>
          ) : (
            status === 'unclaimed' && (
              <Box flexBasis="full">
                <Form schema={NewTrackingDomain} initial={{ domain }} save={work.add} failure={FAILURES.add}>
                  <TextField name="domain" label="Domain of links" hint="A name that nothing else uses." />
                  <FormActions>
                    <SubmitButton variant="outline" loadingText="Adding...">
                      {kind.add}
                    </SubmitButton>
                  </FormActions>
                </Form>
              </Box>
            )
          )}
          {work.error && (
            <Notice tone="error" flexBasis="full">
              {work.error}
            </Notice>
          )}
        </Flex>
      ) : (
        status !== 'unavailable' && (
          <Notice tone="info" mt="3">
            To add, check or remove the {kind.title.toLowerCase()}, please contact an admin or owner.
          </Notice>
        )
      )}
      {records.length > 0 && <Records domain={domain} records={records} />}
    </>
  );
}

const FAILURES = {
  add: 'Failed to add the domain. Please try again',
  check: 'Failed to check the domain. Please try again',
};

/** Adds or checks the domain. What the call says is shown until the stored state differs from its answer. */
function useDomain({ id }: EmailList, { path }: Kind, known: Answer) {
  const change = useOrganizationChange();
  const [answered, setAnswered] = useState<Answer>();
  const params = { list: id };
  const add = async (body?: z.output<typeof NewTrackingDomain>) =>
    setAnswered(
      await (body
        ? change('POST /api/email-lists/{list}/tracking-domain', { params, body })
        : change('POST /api/email-lists/{list}/ses-identity', { params })),
    );
  const { run, isRunning, error } = useAction(
    async (what: keyof typeof FAILURES) =>
      what === 'add'
        ? add()
        : setAnswered(await change(`POST /api/email-lists/{list}/${path}/check`, { params })),
    { failure: what => FAILURES[what] },
  );
  const isShown =
    answered && (['domain', 'status', 'checked_at'] as const).every(name => answered[name] === known[name]);
  return { run, add, isRunning, error, message: isShown ? answered.message : known.message };
}

const Records = ({ domain, records }: { domain: string; records: DnsRecord[] }) => (
  <Box mt="4">
    <Text mb="2" maxWidth="65ch" textWrap="pretty" color="fg.muted" fontSize="sm" overflowWrap="anywhere">
      {records.every(({ found }) => found)
        ? `Leave ${records.length === 1 ? 'this record' : 'these records'} in the DNS of ${domain}.`
        : 'Some services add the domain to each name by themselves: enter the name without it there.'}
    </Text>
    <Panel as="ul" divideY="1px">
      {records.map(({ type, name, value, found }) => (
        <Box as="li" key={name} px="4" py="3">
          <Flex justify="space-between" gap="4" mb="2">
            <Text as="h3" fontWeight="medium">
              {type}
            </Text>
            <Status tone={found ? 'usual' : 'off'}>{found ? 'Found' : 'Not found'}</Status>
          </Flex>
          <Flex direction="column" gap="2">
            <CopiedText text={name} label="Copy name" />
            <CopiedText text={value} label="Copy value" />
          </Flex>
        </Box>
      ))}
    </Panel>
  </Box>
);

function RemoveDomain({ list, kind, domain }: Props & { kind: Kind; domain: string }) {
  const [asking, setAsking] = useState(false);
  const change = useOrganizationChange();

  async function remove() {
    await change(`DELETE /api/email-lists/{list}/${kind.path}`, { params: { list: list.id } });
    toast('Domain removed.');
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {kind.remove}
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Remove the ${kind.title.toLowerCase()}?`}
          confirm={kind.remove}
          loadingText="Removing..."
          failure="Failed to remove the domain. Please try again"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {kind.removal(domain)}
        </ConfirmDialog>
      )}
    </>
  );
}
