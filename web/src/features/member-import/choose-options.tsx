import { Grid, Input } from '@chakra-ui/react';
import { MAY_NOT_SUPPRESS, mustSayConsent } from '#shared/member-import.ts';
import { Field } from '#web/components/field.tsx';
import { Section } from '#web/components/section.tsx';
import { Select } from '#web/components/select.tsx';
import type { ImportChoices, ImportOptions } from './use-choices.ts';

type Props = Pick<ImportChoices, 'imported' | 'options' | 'setOptions' | 'maySuppress'>;

const HINTS: Record<ImportOptions['as'], string> = {
  subscribed: 'Who unsubscribed, complained or bounced before stays unsubscribed.',
  unsubscribed: 'They are members, and get no emails. Existing members are unsubscribed.',
  bounce: 'No list of the organization mails them any more. Undoing the import does not change that.',
  complaint: 'No list of the organization mails them any more. Undoing the import does not change that.',
};

/** How people are imported, and how they have given consent. */
export function ChooseOptions({ imported, options, setOptions, maySuppress }: Props) {
  const { mode, as, source, date } = options;
  const set = (part: Partial<ImportOptions>) => setOptions({ ...options, ...part });
  const isConsent = mustSayConsent(as, imported);
  const hint = maySuppress ? HINTS[as] : `${HINTS[as]} ${MAY_NOT_SUPPRESS}.`;
  return (
    <Section title="Options">
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
        alignItems="start"
        columnGap="6"
        rowGap="2"
        maxWidth="840px"
      >
        <div>
          <Field label="Import people as" hint={hint}>
            <Select value={as} onChange={({ target }) => set({ as: target.value as ImportOptions['as'] })}>
              <option value="subscribed">Subscribed</option>
              <option value="unsubscribed">Unsubscribed</option>
              <option value="bounce" disabled={!maySuppress}>
                Suppressed: their address bounced
              </option>
              <option value="complaint" disabled={!maySuppress}>
                Suppressed: they complained
              </option>
            </Select>
          </Field>
        </div>
        <div>
          <Field
            label="People who are members already"
            hint={mode === 'update' ? 'Empty cells leave what they have.' : 'Nothing about them changes.'}
          >
            <Select
              value={mode}
              onChange={({ target }) => set({ mode: target.value as ImportOptions['mode'] })}
            >
              <option value="update">Update</option>
              <option value="skip">Skip</option>
            </Select>
          </Field>
        </div>
        <div>
          <Field
            label={isConsent ? 'How they agreed to get emails' : 'Source (optional)'}
            hint="Such as: sign-up form of the shop. It is kept with the import and shown with each member."
          >
            <Input
              autoComplete="off"
              maxLength={200}
              value={source}
              onChange={({ target }) => set({ source: target.value })}
            />
          </Field>
        </div>
        <div>
          <Field label="Date of consent (optional)" hint="If all of them agreed on one day.">
            <Input type="date" value={date} onChange={({ target }) => set({ date: target.value })} />
          </Field>
        </div>
      </Grid>
    </Section>
  );
}
