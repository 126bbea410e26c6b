import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import type * as z from 'zod/mini';
import { normalizeAddress } from '../../../../shared/address.ts';
import { NewList } from '../../../../shared/list.ts';
import { UNSUBSCRIBE_WORDS } from '../../../../shared/unsubscribe-words.ts';
import { CheckboxField, Form, FormActions, SelectField, TextField } from '../../components/form.tsx';

type Props = {
  initial: z.input<typeof NewList>;
  save: (values: NewList) => Promise<unknown>;
  onSaved: () => void;
  failure: string;
  children: ReactNode;
};

/** The settings of a list; `children` are the buttons. */
export const ListSettings = ({ initial, save, onSaved, failure, children }: Props) => (
  <Form schema={NewList} initial={initial} save={save} onSaved={onSaved} failure={failure} eager="once left">
    <TextField name="name" label="Name" hint="For you and your colleagues." autoComplete="off" />
    <TextField
      name="domain"
      label="Domain"
      hint="The domain that Mailgun sends from, such as mail.example.com."
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
    <TextField name="sender_name" label="Sender name" hint="Who the emails come from." autoComplete="off" />
    <TextField
      name="sender_address"
      label="Sender email address"
      type="email"
      hint="An address at the domain above."
      autoComplete="off"
    />
    <FollowsOthers initial={initial} />
    <SenderFollowsDomain />
    <SelectField
      name="unsubscribe_text"
      label="Unsubscribe text"
      hint="What the link is called that ends a subscription."
    >
      {UNSUBSCRIBE_WORDS.map(({ code, language, word }) => (
        <option key={code} value={word}>
          {word} — {language}
        </option>
      ))}
    </SelectField>
    <CheckboxField name="active">
      Active
      <Hint>While a list is not active, nothing is sent to it.</Hint>
    </CheckboxField>
    <FormActions>{children}</FormActions>
  </Form>
);

/** Shows what others change meanwhile, wherever nothing was typed. */
function FollowsOthers({ initial }: Pick<Props, 'initial'>) {
  const { reset } = useFormContext();
  useEffect(() => {
    reset(initial, {
      keepDirtyValues: true,
      keepDirty: true,
      keepErrors: true,
      keepTouched: true,
      keepIsSubmitted: true,
      keepSubmitCount: true,
    });
  }, [initial, reset]);
  return null;
}

/** An address that is whole is held against the domain while either is typed. */
function SenderFollowsDomain() {
  const { watch, trigger } = useFormContext();
  const domain: unknown = watch('domain');
  const sender: unknown = watch('sender_address');
  useEffect(() => {
    if (domain && normalizeAddress(String(sender))) void trigger('sender_address');
  }, [domain, sender, trigger]);
  return null;
}

const Hint = chakra('span', { base: { display: 'block', color: 'fg.muted', fontSize: 'xs' } });
