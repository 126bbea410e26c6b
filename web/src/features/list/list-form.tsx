import { type ReactNode, useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { normalizeAddress } from '#shared/address.ts';
import { type EmailList, NewList } from '#shared/list.ts';
import { DEFAULT_PROVIDER, PROVIDERS, type ProviderName, titleOf } from '#shared/providers.ts';
import { UNSUBSCRIBE_WORDS } from '#shared/unsubscribe-words.ts';
import { WARM_UP_STEPS } from '#shared/warm-up.ts';
import { GhostLink } from '#web/components/button.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { ZoneField } from '#web/components/zone-field.tsx';
import { useCachedData, useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';

/** Without a second provider, the choice is empty. */
export type ListValues = Omit<z.input<typeof NewList>, 'second_provider'> & {
  second_provider: ProviderName | '';
};
type Values = ListValues;

const ListForm = z.pipe(
  z.transform(
    ({ second_provider, ...values }: ListValues): z.input<typeof NewList> => ({
      ...values,
      second_provider: second_provider || null,
    }),
  ),
  NewList,
);
const { TextField, SelectField, CheckboxField } = fieldsOf<Values>();

const BLANK: ListValues = {
  name: '',
  public_name: '',
  domain: '',
  sender_name: '',
  sender_address: '',
  reply_to: '',
  provider: DEFAULT_PROVIDER,
  second_provider: '',
  warm_up: 'on',
  unsubscribe_text: 'Unsubscribe',
  time_zone: null,
  active: true,
};

export default function NewListForm() {
  const change = useOrganizationChange();
  const navigate = useNavigate();

  async function create(body: NewList) {
    const created = await change('POST /api/email-lists', { body });
    toast('List created.');
    return created;
  }

  // The page of the list shows what is missing before emails can be sent.
  const showList = ({ id }: EmailList) => void navigate(paths.list(id), { replace: true });

  return (
    <ListSettings initial={BLANK} save={create} onSaved={showList} failure="Error creating email list">
      <GhostLink to={paths.lists()}>Cancel</GhostLink>
      <SubmitButton loadingText="Creating..." strict>
        Create list
      </SubmitButton>
    </ListSettings>
  );
}

type Props<Result> = {
  initial: Values;
  save: (values: NewList, changed: Partial<NewList>) => Promise<Result>;
  onSaved?: (result: Result) => void;
  failure: string;
  children: ReactNode;
};

const isStored = ({ sender_address }: Values) => sender_address !== '';

/** The settings of a list; `children` are the buttons. A new one has those that it needs. */
export const ListSettings = <Result,>({ children, ...props }: Props<Result>) => (
  <Form schema={ListForm} {...props} isNew={!isStored(props.initial)} eager="once left">
    <TextField name="name" label="Name" hint="For you and your colleagues: recipients never see it." />
    <TextField
      name="public_name"
      label="Public name"
      hint="Optional: what recipients read where they unsubscribe. Without it, the sender name."
      autoComplete="off"
    />
    <TextField
      name="domain"
      label="Domain"
      hint="The domain that emails are sent from, such as mail.example.com."
      autoCapitalize="off"
      spellCheck={false}
    />
    <TextField name="sender_name" label="Sender name" hint="Shown as the sender of the emails." />
    <TextField
      name="sender_address"
      label="Sender email address"
      type="email"
      hint="An address at the domain above."
    />
    <ValidateTogether field="sender_address" other="domain" isComplete={isAddress} />
    {!isStored(props.initial) && <SuggestSender />}
    {isStored(props.initial) && (
      <TextField
        name="reply_to"
        label="Reply-to address"
        type="email"
        hint="Optional: where answers go. Without it, to the sender."
      />
    )}
    <Providers canChooseSecond={isStored(props.initial)} />
    <WarmUpField isNew={!isStored(props.initial)} />
    <SelectField name="unsubscribe_text" label="Unsubscribe text" hint="The text of the unsubscribe link.">
      {UNSUBSCRIBE_WORDS.map(({ code, language, word }) => (
        <option key={code} value={word}>
          {word} — {language}
        </option>
      ))}
    </SelectField>
    <ListZone />
    <CheckboxField name="active" hint="While a list is inactive, nothing is sent to it.">
      Active
    </CheckboxField>
    <FormActions>{children}</FormActions>
  </Form>
);

const NEEDS: Record<ProviderName, string> = {
  mailgun: 'It needs a sending key of your Mailgun account.',
  ses: 'It needs a domain whose DNS you can change, and uses the AWS account of this site.',
};

function Providers({ canChooseSecond }: { canChooseSecond: boolean }) {
  const { provider = DEFAULT_PROVIDER, second_provider } = useWatch<Values>();
  const others = PROVIDERS.filter(other => other !== provider || other === second_provider);
  const option = (value: ProviderName) => ({ value, label: titleOf(value) });
  return (
    <>
      <SelectField
        name="provider"
        label="Provider"
        hint={`The service that delivers the emails. ${NEEDS[provider]}`}
        options={PROVIDERS.map(option)}
      />
      {canChooseSecond && (
        <SelectField
          name="second_provider"
          label="Second provider"
          hint="Takes over emails that the first one certainly did not send, such as while it does not answer."
          options={[{ value: '', label: 'None' }, ...others.map(option)]}
        />
      )}
      <ValidateTogether field="second_provider" other="provider" />
    </>
  );
}

/** Proposed for a domain that no list sends from, as far as lists are known here. */
function WarmUpField({ isNew }: { isNew: boolean }) {
  const { watch, setValue, getFieldState } = useFormContext<Values>();
  const lists = useCachedData('GET /api/email-lists');
  const domain = watch('domain').trim().toLowerCase();
  const isKnown = lists?.some(list => list.domain === domain) ?? false;
  useEffect(() => {
    if (isNew && !getFieldState('warm_up').isTouched) setValue('warm_up', isKnown ? 'off' : 'on');
  }, [isNew, isKnown, getFieldState, setValue]);
  return (
    <SelectField
      name="warm_up"
      label="Warm-up"
      explained={['Little at first, more each day: mailbox providers learn to trust you.', 'warm-up']}
      hint={`For a domain that has not sent yet: ${formatNumber(WARM_UP_STEPS[0] ?? 0)} emails on the first day, and about three times as many after each day of use.`}
      options={[
        { value: 'on', label: 'On' },
        { value: 'off', label: 'Off' },
      ]}
    />
  );
}

function ListZone() {
  const zone = useOrganizationData('GET /api/sending-hours').data?.time_zone;
  return (
    <ZoneField
      name="time_zone"
      label="Time zone"
      hint="Optional: for automations that go by the time zone of the list."
      none={`Same as the organization${zone ? ` (${zone})` : ''}`}
    />
  );
}

/** When the domain field is left, fills in a sender at that domain, unless another one was typed. */
function SuggestSender() {
  const { watch, setValue, getFieldState, formState } = useFormContext<Values>();
  const [domain, sender] = watch(['domain', 'sender_address']);
  const { isTouched } = getFieldState('domain', formState);
  const suggested = useRef('');
  useEffect(() => {
    const suggestion = `hello@${domain.trim().toLowerCase()}`;
    if (!isTouched || !normalizeAddress(suggestion)) return;
    if (sender !== suggested.current || sender === suggestion) return;
    suggested.current = suggestion;
    setValue('sender_address', suggestion, { shouldDirty: true, shouldValidate: true });
  }, [domain, sender, isTouched, setValue]);
  return null;
}

const isAddress = (text: string) => normalizeAddress(text) !== undefined;

type Together = { field: keyof Values; other: keyof Values; isComplete?: (value: string) => boolean };

/** Validates a complete field when it or another one changes. The form itself validates only the edited field. */
function ValidateTogether({ field, other, isComplete = Boolean }: Together) {
  const { watch, trigger } = useFormContext<Values>();
  const [value, otherValue] = watch([field, other]);
  useEffect(() => {
    if (otherValue && isComplete(String(value ?? ''))) void trigger(field);
  }, [field, value, otherValue, isComplete, trigger]);
  return null;
}
