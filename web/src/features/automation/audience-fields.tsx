import { Skeleton } from '@chakra-ui/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import type { Audience } from '#shared/audience.ts';
import { WithHelpTip } from '#web/components/help-tip.tsx';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { ListPicker } from '#web/entities/automation/mailing-fields.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
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
    <ListPicker
      lists={listed}
      verb="connected"
      ref={field.ref}
      value={value}
      onChange={choose}
      error={fieldState.error?.message}
      problem={error}
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
