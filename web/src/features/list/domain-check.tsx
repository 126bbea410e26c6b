import { Box, Flex, Text } from '@chakra-ui/react';
import { type Check, DomainCheckRequest, type Finding, type FindingState } from '#shared/domain-check.ts';
import type { EmailList } from '#shared/list.ts';
import { needsKey, providersOf } from '#shared/providers.ts';
import { CopiedText } from '#web/components/copied-text.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Loading } from '#web/components/loading.tsx';
import { type Tone, ToneIcon } from '#web/components/notice.tsx';
import { Panel } from '#web/components/panel.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { formatMoment } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';

const GET = 'GET /api/email-lists/{list}/domain-check';
const POST = 'POST /api/email-lists/{list}/domain-check';
const FAILED = 'Failed to check the domain. Please try again.';
const { TextareaField } = fieldsOf<{ dkim?: string | undefined }>();

const TITLES: Record<Check, string> = {
  spf: 'SPF: who may send',
  dkim: 'DKIM: the signature',
  dmarc: 'DMARC: what happens to fakes',
  mx: 'MX: where replies go',
  one_click: 'One-click unsubscribe',
};
const STATES: Record<FindingState, [word: string, tone: Tone, color?: string]> = {
  ok: ['Good', 'success'],
  warning: ['To improve', 'warning', 'fg.warning'],
  broken: ['Broken', 'error', 'fg.error'],
  unknown: ['Not known', 'info', 'fg.muted'],
};

/** What mailbox providers find about the domain of a list, and what to enter in its DNS. */
export default function DomainCheck({ list }: { list: EmailList | undefined }) {
  const { data, error, mutate } = useOrganizationData(list && GET, { params: { list: list?.id ?? '' } });
  if (!data && error) return <Failure problem={error} fallback={FAILED} onRetry={mutate} />;
  return (
    <>
      <Text mb="3" color="fg.muted" fontSize="sm" overflowWrap="anywhere" role="status">
        {data
          ? `What mailbox providers find for ${data.domain}, looked up ${formatMoment(data.checked_at)}.`
          : 'Looking up the domain. This takes some seconds.'}
      </Text>
      {data ? (
        <Panel as="ul" divideY="1px">
          {data.findings.map(finding => (
            <Result key={finding.check} {...finding} />
          ))}
        </Panel>
      ) : (
        <Loading shape={[440]} />
      )}
      {list && data && <Again list={list} selector={data.dkim_selector} />}
    </>
  );
}

function Result({ check, state, message, found, record }: Finding) {
  const [word, tone, color] = STATES[state] ?? STATES.unknown;
  return (
    <Box as="li" px="4" py="3" overflowWrap="anywhere">
      <Flex wrap="wrap" justify="space-between" columnGap="4">
        <Text as="h3" fontWeight="medium">
          {TITLES[check] ?? check}
        </Text>
        <Flex as="span" align="center" gap="1.5" color={color} _icon={{ width: '16px', height: '16px' }}>
          <ToneIcon tone={tone} />
          {word}
        </Flex>
      </Flex>
      <Text mt="1">{message}</Text>
      {found && (
        <Text mt="1" color="fg.muted" fontSize="xs">
          Found: {found}
        </Text>
      )}
      {record && (
        <Flex direction="column" gap="2" mt="3">
          <Text>Enter this {record.type} record where the DNS is managed, in place of one like it:</Text>
          <CopiedText text={record.name} label="Copy name" />
          <CopiedText text={record.value} label="Copy value" />
        </Flex>
      )}
    </Box>
  );
}

/** Checks again, with the key that signed a test email if one is pasted. */
function Again({ list, selector }: { list: EmailList; selector: string | null }) {
  const change = useOrganizationChange();
  const keptFocus = useKeptFocus(frame => frame.querySelector<HTMLElement>('button'));
  const check = ({ dkim }: DomainCheckRequest) =>
    change(POST, { params: { list: list.id }, body: dkim?.trim() ? { dkim } : {} });
  if (!useMay()('lists:edit')) return null;
  return (
    <Box mt="4" maxWidth="560px" {...keptFocus}>
      <Form key={selector} schema={DomainCheckRequest} initial={{ dkim: '' }} save={check} failure={FAILED}>
        {providersOf(list).some(needsKey) && (
          <TextareaField
            name="dkim"
            label="Headers of a test email (optional)"
            hint={`Open the original of a test email of this list in your mail program, and paste its headers.${selector ? ` Known: ${selector}` : ''}`}
            rows={3}
          />
        )}
        <FormActions>
          <SubmitButton variant="outline" loadingText="Checking...">
            Check again
          </SubmitButton>
        </FormActions>
      </Form>
    </Box>
  );
}
