import { Box, Text } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { DEFINED } from '#shared/list.ts';
import { headerFault, NewWebhook, type UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { eventType, WEBHOOK_EVENTS, type WebhookEvent } from '#shared/webhook-events.ts';
import { Button, IconButton } from '#web/components/button.tsx';
import { FieldGrid } from '#web/components/field.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf, useRemoveRow } from '#web/components/form-fields.tsx';
import { Modal } from '#web/components/modal.tsx';
import { ShownOnce } from '#web/components/shown-once.tsx';
import { useOrganizationChange } from '#web/lib/data.ts';
import { toast } from '#web/lib/toasts.ts';
import { EVENT_NAMES, type Owner, paramsOf, routesOf, SECRET_WARNING } from './webhook.ts';

const { TextField, CheckboxField } = fieldsOf<Values>();

/** What each of the events to choose from means. */
const HINTS: Record<WebhookEvent, string> = {
  unsubscribed: 'By a link in an email, in the app or by a program.',
  bounced: 'The address does not take emails any more.',
  complained: 'An email was reported as spam.',
  subscribed: 'Also by an import, so possibly of thousands at once: in batches, like emails.',
  sent: 'The mail provider has taken the email.',
  delivered: 'The mail server of the recipient has taken it, if the mail provider reports that.',
  opened: 'For the first time, by a person.',
  clicked: 'For the first time, by a person.',
  paused: 'By the safeguards or by somebody; a broadcast was stopped or cancelled.',
};

const EVENT_GROUPS: { name: string; note?: string; subject: string }[] = [
  { name: 'Events of people', subject: 'list_member' },
  {
    name: 'Events of emails',
    note: 'There may be many: they are sent in batches of up to 100, some seconds after they happened.',
    subject: 'email',
  },
  { name: 'Events of automations', subject: 'automation' },
];

type Props = { owner: Owner; webhook: UnsubscribeWebhook | undefined; onClose: () => void };

/** The form of a webhook. After a new one is created, its secret is shown. */
export default function WebhookDialog({ owner, webhook, onClose }: Props) {
  const change = useOrganizationChange();
  const [secret, setSecret] = useState<string>();
  // The initial values: the polled table must not add rows to the form.
  const [initial] = useState(() => valuesOf(webhook));

  async function save(body: z.output<typeof Shape>) {
    if (webhook) {
      await change(routesOf(owner).put, { params: { ...paramsOf(owner), webhook: webhook.id }, body });
      return undefined;
    }
    const created = await change(routesOf(owner).create, { params: paramsOf(owner), body });
    return created.secret;
  }

  function saved(created: string | undefined) {
    if (created) return setSecret(created);
    toast('Webhook saved.');
    onClose();
  }

  if (secret) {
    return <ShownOnce title="Webhook created" warning={SECRET_WARNING} value={secret} onClose={onClose} />;
  }
  return (
    <Modal title={webhook ? 'Edit webhook' : 'Create webhook'} width="600px" onClose={onClose}>
      <Form schema={Shape} initial={initial} save={save} onSaved={saved} failure="Failed to save webhook">
        <TextField name="name" label="Name" data-autofocus />
        <TextField
          name="url"
          label="URL"
          type="url"
          inputMode="url"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          hint="A public address. Each event is posted to it as JSON."
        />
        {EVENT_GROUPS.map(({ name, note, subject }) => (
          <Box key={name} as="fieldset" mt="3" mb="4" minWidth="0">
            <Text as="legend" fontSize="sm" fontWeight="medium">
              {name}
            </Text>
            {note && (
              <Text mb="1" fontSize="xs" color="fg.muted">
                {note}
              </Text>
            )}
            {WEBHOOK_EVENTS.filter(event => eventType(event).startsWith(`${subject}.`)).map(event => (
              <CheckboxField key={event} name={`events.${event}`} hint={HINTS[event]}>
                {EVENT_NAMES[event]}
              </CheckboxField>
            ))}
          </Box>
        ))}
        <Headers isStored={webhook !== undefined} />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Saving...">{webhook ? 'Save' : 'Create'}</SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}

function Headers({ isStored }: { isStored: boolean }) {
  const { control, watch } = useFormContext<Values>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const { frame, removeRow } = useRemoveRow('headers', remove);

  return (
    <Box as="fieldset" ref={frame} mt="2" minWidth="0">
      <Text as="legend" fontSize="sm" fontWeight="medium">
        Headers
      </Text>
      <Text mb="2" fontSize="xs" color="fg.muted">
        Sent with each request, such as Authorization. Values are stored encrypted and never shown again
        {isStored ? ': left empty, they stay.' : '.'}
      </Text>
      {fields.map(({ id, stored }, index) => (
        <FieldGrid key={id} templateColumns="minmax(0, 2fr) minmax(0, 3fr) var(--control)" columnGap="2">
          <TextField name={`headers.${index}.key`} label="Header key" spellCheck={false} />
          <TextField
            name={`headers.${index}.value`}
            label="Header value"
            spellCheck={false}
            placeholder={
              stored !== null && watch(`headers.${index}.key`) === stored ? 'Unchanged' : undefined
            }
          />
          {/* Beside the inputs, below their labels. */}
          <IconButton mt="24px" label={`Remove header ${index + 1}`} onClick={() => removeRow(index)}>
            <X aria-hidden />
          </IconButton>
        </FieldGrid>
      ))}
      <Button onClick={() => append({ key: '', value: '', stored: null })}>Add header</Button>
    </Box>
  );
}

/** `stored` is the key of a header whose stored value cannot be read. If the input is left empty, that value stays. */
const Header = z.object({ key: z.string(), value: z.string(), stored: z.nullable(z.string()) });

const writtenValue = ({ key, value, stored }: z.infer<typeof Header>) =>
  value === '' && stored === key.trim() ? DEFINED : value;

const VALUE_FAULT = /^Header value/;

const HeaderRows = z.array(Header).check(
  z.check(({ value: rows, issues }) => {
    const seen = new Set<string>();
    rows.forEach((row, index) => {
      const key = row.key.trim();
      const fault = headerFault(key, writtenValue(row));
      const isTwice = key !== '' && seen.has(key.toLowerCase());
      seen.add(key.toLowerCase());
      const message = fault ?? (isTwice ? 'This header is there twice' : undefined);
      if (!message) return;
      const path = [index, VALUE_FAULT.test(message) ? 'value' : 'key'];
      issues.push({ code: 'custom', input: rows, path, message, continue: true });
    });
  }),
);

const byEvent = <Value,>(of: (event: WebhookEvent) => Value) =>
  Object.fromEntries(WEBHOOK_EVENTS.map(event => [event, of(event)])) as Record<WebhookEvent, Value>;

const Events = z
  .object(byEvent(() => z.boolean()))
  .check(
    z.refine(chosen => WEBHOOK_EVENTS.some(event => chosen[event]), {
      error: 'Choose at least one event',
      path: [WEBHOOK_EVENTS.at(-1) ?? ''],
    }),
  );

const { name, url } = NewWebhook.shape;

const Shape = z.pipe(
  z.object({ name, url, headers: HeaderRows, events: Events }),
  z.transform(({ name, url, headers, events }) => ({
    name,
    url,
    headers: Object.fromEntries(
      headers.filter(({ key }) => key.trim() !== '').map(row => [row.key.trim(), writtenValue(row)]),
    ),
    events: WEBHOOK_EVENTS.filter(event => events[event]),
  })),
);
type Values = z.input<typeof Shape>;

const valuesOf = (webhook: UnsubscribeWebhook | undefined): Values => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  headers: Object.keys(webhook?.parsed_headers ?? {}).map(key => ({ key, value: '', stored: key })),
  events: byEvent(event => webhook?.events.includes(event) ?? event === 'unsubscribed'),
});
