import type { ComponentProps } from 'react';
import { MOST_LISTS } from '#shared/automation.ts';
import type { EmailList } from '#shared/list.ts';
import { TextLink } from '#web/components/button.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { PickMany } from '#web/components/pick-many.tsx';
import { paths } from '#web/lib/paths.ts';

type Choice = Pick<
  ComponentProps<typeof PickMany>,
  'ref' | 'value' | 'onChange' | 'error' | 'problem' | 'onRetry'
>;
type ListsProps = Choice & { lists: EmailList[] | undefined; verb: 'connected' | 'chosen' };

/** Chooses the lists of an automation, a sequence or a broadcast. */
export const ListPicker = ({ lists, verb, error, ...choice }: ListsProps) => (
  <PickMany
    {...choice}
    label="Email Lists"
    options={lists?.map(({ id, name, domain, active }) => ({
      id,
      name,
      about: active ? domain : `${domain}, inactive`,
    }))}
    error={choice.value.length > MOST_LISTS ? `At most ${MOST_LISTS} email lists can be ${verb}` : error}
    noun="email list"
    create={<TextLink to={paths.newList()}>Create list</TextLink>}
    failure="Failed to fetch email lists. Please try again."
  />
);

const { NumberField } = fieldsOf<{ holdout_percent?: number }>();

/** `use` is what it is good for. */
export const HoldoutField = ({ use = 'so that you see what its emails do' }: { use?: string }) => (
  <NumberField
    name="holdout_percent"
    label="Held out, in percent of people"
    hint={`They get nothing of it, always the same people, ${use}. From 0, which holds out nobody, to 50.`}
    min={0}
    whenEmpty={0}
  />
);
