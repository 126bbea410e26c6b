import { Box, Flex } from '@chakra-ui/react';
import { type Ref, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { type EmailList, REGIONS, type ConnectionTest as Result, SendingKeyChange } from '#shared/list.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { Notice, type Tone } from '#web/components/notice.tsx';
import { Section } from '#web/components/section.tsx';
import { useKeptFocus } from '#web/components/use-kept-focus.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { newAutomationFor, paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { hasKey, KeyStatus, lastTested, REGION_NAMES } from './list-status.tsx';

const { SecretField, SelectField } = fieldsOf<z.input<ReturnType<typeof sendingKeyForm>>>();

type Props = { list: EmailList };
type FormProps = Props & { formRef: Ref<HTMLFormElement> };

/** The sending key: set, tested, replaced or removed, but never shown. */
export function SendingKey({ list, formRef }: FormProps) {
  const mayEdit = useMay()('sending-key:edit');
  return (
    <Section
      title="Sending key"
      note="Mailgun accepts emails of this list only with a sending key of its domain. The key is stored encrypted and never shown again."
    >
      <KeyFacts list={list} />
      {mayEdit ? (
        <Managed list={list} formRef={formRef} />
      ) : (
        <Notice tone="info" mt="3">
          To set, replace or test the sending key, please contact an admin or owner.
        </Notice>
      )}
    </Section>
  );
}

function KeyFacts({ list }: Props) {
  const { mailgun_region, mailgun_webhook_signing_key } = list;
  return (
    <Facts>
      <Fact name="Status">
        <KeyStatus list={list} />
      </Fact>
      {hasKey(list) && <Fact name="Last tested">{lastTested(list)}</Fact>}
      {hasKey(list) && <Fact name="Region">{REGION_NAMES[mailgun_region]}</Fact>}
      <Fact name="Webhook signing key">{mailgun_webhook_signing_key ? 'Set' : 'Not Set'}</Fact>
    </Facts>
  );
}

function Managed({ list, formRef }: FormProps) {
  const test = useConnectionTest(list);
  const [editing, setEditing] = useState(false);
  const isSet = hasKey(list);
  const keptFocus = useKeptFocus(firstControl);

  return (
    <Box mt="4" {...keptFocus}>
      {editing || !isSet ? (
        <>
          {!isSet && <SigningKeyRemoval list={list} />}
          <SendingKeyForm
            ref={formRef}
            list={list}
            onStored={() => void test.run()}
            onSaved={() => setEditing(false)}
            onCancel={isSet ? () => setEditing(false) : undefined}
          />
        </>
      ) : (
        <Flex wrap="wrap" gap="2">
          <Button loading={test.isRunning} loadingText="Testing..." onClick={() => void test.run()}>
            Test connection
          </Button>
          <Button onClick={() => setEditing(true)}>Replace key</Button>
          <RemoveKey list={list} removal={SENDING_KEY} />
          <SigningKeyRemoval list={list} />
          {test.notice && (
            <Notice
              tone={test.notice.tone}
              flexBasis="full"
              action={test.notice.tone === 'success' && <NextStep list={list} />}
            >
              {test.notice.message}
            </Notice>
          )}
        </Flex>
      )}
    </Box>
  );
}

function useConnectionTest(list: EmailList) {
  const change = useOrganizationChange();
  const [result, setResult] = useState<Result & { of: string }>();
  const { run, isRunning, error } = useAction(
    async () => {
      setResult(undefined);
      const tested = await change('POST /api/email-lists/{list}/test-mailgun-connection', {
        params: { list: list.id },
      });
      setResult({ ...tested, of: testOf(list, tested.testedAt) });
    },
    { failure: 'Failed to test connection. Please try again' },
  );
  const notice = error
    ? ({ tone: 'error', message: error } as const)
    : result?.of === testOf(list) && noticeOf(result);
  return { run, isRunning, notice };
}

/** Identifies a test: a result is hidden once the domain has changed, or a later test exists. */
const testOf = (
  { domain, mailgun_connection_status: { last_tested_at } }: EmailList,
  testedAt = last_tested_at,
) => [domain, testedAt].join(' ');

function noticeOf({ success, connectionValid, message }: Result): { tone: Tone; message: string } {
  if (!success) return { tone: 'warning', message: `Connection test failed. ${message}` };
  return { tone: connectionValid ? 'success' : 'error', message };
}

export const NextStep = ({ list: { id, members_count } }: Props) =>
  members_count > 0 ? (
    <TextLink to={newAutomationFor(id)}>Create an automation</TextLink>
  ) : (
    <TextLink to={paths.importMembers(id)}>Import members</TextLink>
  );

const firstControl = (frame: Element) =>
  frame.querySelector<HTMLElement>('form input') ?? frame.querySelector<HTMLElement>('button');

type KeyFormProps = {
  list: EmailList;
  ref: Ref<HTMLFormElement>;
  /** Called before the form unmounts, which it does as soon as the list has a key. */
  onStored: () => void;
  onSaved: () => void;
  onCancel: (() => void) | undefined;
};

function SendingKeyForm({ list, ref, onStored, onSaved, onCancel }: KeyFormProps) {
  const change = useOrganizationChange();
  const isSet = hasKey(list);
  const schema = useMemo(() => sendingKeyForm(isSet), [isSet]);

  async function save(body: z.output<typeof schema>) {
    await change('PUT /api/email-lists/{list}/mailgun-key', { params: { list: list.id }, body });
    onStored();
  }

  const kept = 'Leave empty to keep the one that is set';
  return (
    <Form
      ref={ref}
      schema={schema}
      initial={{
        mailgun_sending_key: '',
        mailgun_webhook_signing_key: '',
        mailgun_region: list.mailgun_region,
      }}
      save={save}
      onSaved={onSaved}
      failure="Failed to update Mailgun sending key"
    >
      <SecretField
        name="mailgun_sending_key"
        label="Sending key"
        hint={`In Mailgun: Sending, Domain settings, Sending keys of ${list.domain}.`}
        placeholder={isSet ? kept : undefined}
      />
      <SelectField
        name="mailgun_region"
        label="Region"
        hint="Where the domain was added in Mailgun. A key of one region is unknown in the other."
        options={REGIONS.map(value => ({ value, label: REGION_NAMES[value] }))}
      />
      <SecretField
        name="mailgun_webhook_signing_key"
        label="Webhook signing key (optional)"
        hint="With it, what Mailgun reports about bounces and complaints can be trusted and counted."
        placeholder={list.mailgun_webhook_signing_key ? kept : undefined}
      />
      <FormActions>
        {onCancel && <CancelButton variant="ghost" onClick={onCancel} />}
        <SubmitButton variant="outline" loadingText="Saving...">
          Save key
        </SubmitButton>
      </FormActions>
    </Form>
  );
}

const { mailgun_sending_key, mailgun_webhook_signing_key, mailgun_region } = SendingKeyChange.shape;

/** An empty input leaves the key as it is. */
const optional = z.pipe(
  z.string(),
  z.transform((text): string | null | undefined => text.trim() || undefined),
);
const required = z.string().check(z.refine(text => text.trim() !== '', 'Sending key is required'));

export const sendingKeyForm = (isSet: boolean) =>
  z.object({
    mailgun_sending_key: z.pipe(isSet ? optional : z.pipe(required, optional), mailgun_sending_key),
    mailgun_webhook_signing_key: z.pipe(optional, mailgun_webhook_signing_key),
    mailgun_region,
  });

type Removal = {
  verb: string;
  question: string;
  consequence: (list: EmailList) => string;
  body: SendingKeyChange;
  success: string;
  failure: string;
};

/** The webhook signing key is removed with the sending key. */
const SENDING_KEY: Removal = {
  verb: 'Remove key',
  question: 'Remove the sending key?',
  consequence: ({ name, mailgun_webhook_signing_key }) =>
    mailgun_webhook_signing_key
      ? `${name} cannot send until another key is set. Its webhook signing key is removed as well.`
      : `${name} cannot send until another key is set.`,
  body: { mailgun_sending_key: null, mailgun_webhook_signing_key: null },
  success: 'Sending key removed.',
  failure: 'Error removing Mailgun sending key',
};

const SIGNING_KEY: Removal = {
  verb: 'Remove webhook signing key',
  question: 'Remove the webhook signing key?',
  consequence: ({ name }) =>
    `What Mailgun reports about bounces and complaints of ${name} is not trusted until another one is set.`,
  body: { mailgun_webhook_signing_key: null },
  success: 'Webhook signing key removed.',
  failure: 'Error removing webhook signing key',
};

const SigningKeyRemoval = ({ list }: Props) =>
  list.mailgun_webhook_signing_key && <RemoveKey list={list} removal={SIGNING_KEY} />;

function RemoveKey({ list, removal }: { list: EmailList; removal: Removal }) {
  const { verb, question, consequence, body, success, failure } = removal;
  const [asking, setAsking] = useState(false);
  const change = useOrganizationChange();

  async function remove() {
    await change('PUT /api/email-lists/{list}/mailgun-key', { params: { list: list.id }, body });
    toast(success);
  }

  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      {asking && (
        <ConfirmDialog
          title={question}
          confirm={verb}
          loadingText="Removing..."
          failure={failure}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {consequence(list)}
        </ConfirmDialog>
      )}
    </>
  );
}
