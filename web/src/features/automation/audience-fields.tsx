import { Skeleton } from '@chakra-ui/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { Audience } from '#shared/audience.ts';
import { MOST_LISTS } from '#shared/automation.ts';
import { TextLink } from '#web/components/button.tsx';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { PickMany } from '#web/components/pick-many.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import type { Settings } from './automation-settings.ts';
import { Group, Legend } from './card.tsx';

export const StartField = onDemand(
  () => import('#web/entities/automation/start-field.tsx'),
  <Loading shape={['field']} />,
);

type Props = { onChoose: (lists: string[]) => void };

/** Chooses the lists of an automation or a sequence. Other lists have other columns, so a change clears the trigger column; an event stays. */
export function ListsField({ onChoose }: Props) {
  const { setValue, getValues, clearErrors } = useFormContext<Settings>();
  const { data, error, isValidating, mutate } = useOrganizationData('GET /api/email-lists');
  const { field, fieldState, formState } = useController<Settings, 'email_list_ids'>({
    name: 'email_list_ids',
  });
  const { value = [] } = field;
  // Connected lists come first, however many lists there are.
  const connected = new Set(formState.defaultValues?.email_list_ids);
  const listed = data?.toSorted((a, b) => Number(connected.has(b.id)) - Number(connected.has(a.id)));

  function choose(ids: string[]) {
    const sorted = ids.toSorted();
    field.onChange(sorted);
    if (getValues('starts_at') !== 'event') setValue('metadata_trigger', '', { shouldDirty: true });
    clearErrors('metadata_trigger');
    onChoose(sorted);
  }

  const dropDeleted = useEffectEvent(() => {
    const left = value.filter(id => data?.some(list => list.id === id));
    if (left.length < value.length) choose(left);
  });
  const isAsked = useRef(false);
  useEffect(() => {
    // Cached data may lack a list that was just created, so no choice is dropped before a request has completed.
    if (isValidating) isAsked.current = true;
    else if (data && isAsked.current) dropDeleted();
  }, [data, isValidating]);

  return (
    <PickMany
      label="Email Lists"
      options={listed?.map(({ id, name, domain, active }) => ({
        id,
        name,
        about: active ? domain : `${domain}, inactive`,
      }))}
      ref={field.ref}
      value={value}
      onChange={choose}
      error={
        value.length > MOST_LISTS
          ? `At most ${MOST_LISTS} email lists can be connected`
          : fieldState.error?.message
      }
      noun="email list"
      create={<TextLink to={paths.newList()}>Create list</TextLink>}
      problem={error}
      failure="Failed to fetch email lists. Please try again."
      onRetry={mutate}
    />
  );
}

export const Conditions = onDemand(
  () => import('#web/entities/audience/conditions.tsx'),
  <Skeleton height="80px" />,
);

const CHECKED =
  'Checked before each email: who does not match any more gets no further one, so a condition also ends an automation for a member.';

/** Chooses which members of the lists get the emails. */
export function AudienceField({ lists }: { lists: readonly string[] }) {
  const { field, fieldState, formState } = useController<Settings, 'audience'>({ name: 'audience' });
  const zoneOf = useWatch<Settings, 'time_zone_of'>({ name: 'time_zone_of' });
  return (
    <Group mt="4">
      <Legend>
        <WithHelpTip word="Who gets it">{CHECKED}</WithHelpTip>
      </Legend>
      <Conditions
        lists={lists}
        initial={(formState.defaultValues?.audience ?? null) as Audience | null}
        zoneOf={zoneOf ?? 'organization'}
        onChange={field.onChange}
        focusRef={field.ref}
        isRefused={fieldState.invalid}
        error={fieldState.error?.message}
      />
    </Group>
  );
}
