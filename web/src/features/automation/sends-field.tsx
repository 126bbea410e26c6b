import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { useId } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { OCCURRENCES, type Occurrence, ORDINALS } from '#shared/schedule.ts';
import { Checkbox } from '#web/components/checkbox.tsx';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import type { Settings } from './automation-settings.ts';
import { SENDS_MEAN } from './automation-texts.ts';

const KINDS = [
  { kind: 'double', other: 'triple', label: 'Double send (2 emails)' },
  { kind: 'triple', other: 'double', label: 'Triple send (3 emails)' },
] as const;

const Group = chakra('fieldset', { base: { minWidth: '0' } });
const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'medium' } });

/** Which of the first occurrences send two emails, and which three. */
export const SendsField = () => (
  <Group mt="4" aria-label="Multiple Sends">
    <Legend>
      <WithHelpTip word="Multiple Sends">{SENDS_MEAN}</WithHelpTip>
    </Legend>
    <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
      {KINDS.map(kind => (
        <Sends key={kind.kind} {...kind} />
      ))}
    </Grid>
    <Box mt="1" color="fg.muted" fontSize="xs">
      The second email is sent 6 hours after the first one, the third 12 hours after it.
    </Box>
  </Group>
);

function Sends({ label, kind, other }: (typeof KINDS)[number]) {
  const errorId = useId();
  const { getFieldState, formState } = useFormContext<Settings>();
  const errors = OCCURRENCES.map(nth => getFieldState(`${kind}_send_${nth}`, formState).error?.message);
  return (
    <Group>
      <Legend fontWeight="normal" color="fg.muted">
        {label}
      </Legend>
      <Flex wrap="wrap" columnGap="5" rowGap="1">
        {OCCURRENCES.map(nth => (
          <Send key={nth} nth={nth} kind={kind} other={other} errorId={errorId} />
        ))}
      </Flex>
      <Box id={errorId} role="alert" color="fg.error" fontSize="sm">
        {errors.find(message => message)}
      </Box>
    </Group>
  );
}

type Kind = 'double' | 'triple';
type SendProps = { nth: Occurrence; kind: Kind; other: Kind; errorId: string };

function Send({ nth, kind, other, errorId }: SendProps) {
  const { watch, setValue } = useFormContext<Settings>();
  const opposite = `${other}_send_${nth}` as const;
  const { field, fieldState } = useController<Settings>({ name: `${kind}_send_${nth}` });
  const isSet = field.value === true;

  function set(to: boolean) {
    field.onChange(to);
    if (to) setValue(opposite, false, { shouldDirty: true });
  }

  return (
    <Checkbox
      ref={field.ref}
      checked={isSet}
      onChange={set}
      disabled={watch(opposite) === true && !isSet}
      invalid={fieldState.invalid}
      aria-describedby={fieldState.invalid ? errorId : undefined}
    >
      {ORDINALS[nth]}
    </Checkbox>
  );
}
