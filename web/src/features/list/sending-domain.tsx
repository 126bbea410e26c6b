import { Box, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { DnsRecord, Identity, IdentityStatus } from '#shared/identity.ts';
import type { EmailList } from '#shared/list.ts';
import { Button } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { CopiedText } from '#web/components/copied-text.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
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

type Props = { list: EmailList };

/** The domain of a list at Amazon SES: the records for its DNS, whether they are found, and what to do next. */
export function SendingDomain({ list }: Props) {
  const input = { params: { list: list.id } };
  const { data, error, mutate } = useOrganizationData('GET /api/email-lists/{list}/ses-identity', input);
  return (
    <Section
      title="Sending domain"
      note="Amazon SES accepts emails of this list when records in the DNS show that its domain is yours. There is no key to set."
    >
      {data ? (
        <Domain list={list} identity={data} />
      ) : error ? (
        <Failure
          problem={error}
          fallback="Failed to load the sending domain. Please try again."
          onRetry={mutate}
        />
      ) : (
        <Loading shape={['line', 38, 160]} />
      )}
    </Section>
  );
}

const STATES: Record<
  IdentityStatus,
  { word: string; tone: Parameters<typeof Status>[0]['tone']; notice: Tone }
> = {
  unclaimed: { word: 'Not added', tone: 'off', notice: 'info' },
  pending: { word: 'Not verified', tone: 'attention', notice: 'info' },
  verified: { word: 'Verified', tone: 'usual', notice: 'success' },
  taken: { word: 'Used by another organization', tone: 'wrong', notice: 'warning' },
  failed: { word: 'Failed', tone: 'wrong', notice: 'warning' },
};
const OTHER = { ...OTHER_STATE, notice: 'info' as const };

function Domain({ list, identity }: Props & { identity: Identity }) {
  const mayEdit = useMay()('sending-key:edit');
  const { status, domain, records, checked_at } = identity;
  const { word, tone, notice } = STATES[status] ?? OTHER;
  const work = useIdentity(list, identity);
  const keptFocus = useKeptFocus(frame => frame.querySelector<HTMLElement>('button'));
  return (
    <>
      <Facts>
        <Fact name="Domain">
          <Box as="span" overflowWrap="anywhere">
            {domain}
          </Box>
        </Fact>
        <Fact name="Status">
          <Status tone={tone}>{word}</Status>
        </Fact>
        {status !== 'unclaimed' && (
          <Fact name="Last checked">{checked_at ? formatMoment(checked_at) : 'Never'}</Fact>
        )}
      </Facts>
      <Notice tone={notice} mt="3" action={status === 'verified' && <NextStep list={list} />}>
        {work.message}
      </Notice>
      {mayEdit ? (
        <Flex wrap="wrap" gap="2" mt="3" {...keptFocus}>
          {status === 'unclaimed' ? (
            <Button loading={work.isRunning} loadingText="Adding..." onClick={() => void work.run('add')}>
              Add domain
            </Button>
          ) : (
            <>
              <Button
                loading={work.isRunning}
                loadingText="Checking..."
                onClick={() => void work.run('check')}
              >
                {checked_at ? 'Check again' : 'Check'}
              </Button>
              <RemoveDomain list={list} domain={domain} />
            </>
          )}
          {work.error && (
            <Notice tone="error" flexBasis="full">
              {work.error}
            </Notice>
          )}
        </Flex>
      ) : (
        <Notice tone="info" mt="3">
          To add, check or remove the domain, please contact an admin or owner.
        </Notice>
      )}
      {records.length > 0 && <Records domain={domain} records={records} />}
    </>
  );
}

const CALLS = {
  add: 'POST /api/email-lists/{list}/ses-identity',
  check: 'POST /api/email-lists/{list}/ses-identity/check',
} as const;

/** Adds or checks the domain. What the call says is shown until the stored state differs from its answer. */
function useIdentity({ id }: EmailList, known: Identity) {
  const change = useOrganizationChange();
  const [answered, setAnswered] = useState<Identity>();
  const { run, isRunning, error } = useAction(
    async (what: keyof typeof CALLS) => setAnswered(await change(CALLS[what], { params: { list: id } })),
    {
      failure: what =>
        what === 'add'
          ? 'Failed to add the domain. Please try again'
          : 'Failed to check the domain. Please try again',
    },
  );
  const isShown =
    answered && (['domain', 'status', 'checked_at'] as const).every(name => answered[name] === known[name]);
  return { run, isRunning, error, message: isShown ? answered.message : known.message };
}

const Records = ({ domain, records }: { domain: string; records: DnsRecord[] }) => (
  <Box mt="4">
    <Text mb="2" maxWidth="65ch" textWrap="pretty" color="fg.muted" fontSize="sm" overflowWrap="anywhere">
      {records.every(({ found }) => found)
        ? `As long as these records stand in the DNS of ${domain}, it stays verified.`
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

function RemoveDomain({ list, domain }: Props & { domain: string }) {
  const [asking, setAsking] = useState(false);
  const change = useOrganizationChange();

  async function remove() {
    await change('DELETE /api/email-lists/{list}/ses-identity', { params: { list: list.id } });
    toast('Domain removed.');
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        Remove domain
      </Button>
      {asking && (
        <ConfirmDialog
          title="Remove the domain?"
          confirm="Remove domain"
          loadingText="Removing..."
          failure="Failed to remove the domain. Please try again"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          No list of this organization can send from {domain} through Amazon SES until it is added and
          verified again. Its records may be others then.
        </ConfirmDialog>
      )}
    </>
  );
}
