import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { useFormContext } from 'react-hook-form';
import { OCCURRENCES, type Occurrence, ORDINALS } from '../../../../shared/schedule.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import type { Settings } from './automation-settings.ts';

const KINDS = [
  { kind: 'double', other: 'triple', label: 'Double send (2 emails)' },
  { kind: 'triple', other: 'double', label: 'Triple send (3 emails)' },
] as const;

const Group = chakra('fieldset', { base: { minWidth: '0' } });
const Legend = chakra('legend', { base: { mb: '1', fontSize: 'sm', fontWeight: 'medium' } });

/** Which of the first occurrences send two emails, and which three. */
export const SendsField = () => (
  <Group mt="4">
    <Legend>Multiple Sends</Legend>
    <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
      {KINDS.map(({ label, ...of }) => (
        <Group key={label}>
          <Legend fontWeight="normal" color="fg.muted">
            {label}
          </Legend>
          <Flex wrap="wrap" columnGap="5" rowGap="1">
            {OCCURRENCES.map(nth => (
              <Send key={nth} nth={nth} {...of} />
            ))}
          </Flex>
        </Group>
      ))}
    </Grid>
    <Box mt="1" color="fg.muted" fontSize="xs">
      The second email is sent 6 hours after the first one, the third 12 hours after it.
    </Box>
  </Group>
);

type Kind = 'double' | 'triple';

function Send({ nth, kind, other }: { nth: Occurrence; kind: Kind; other: Kind }) {
  const { watch, setValue, getFieldState, formState } = useFormContext<Settings>();
  const [name, opposite] = [`${kind}_send_${nth}`, `${other}_send_${nth}`] as const;
  const [isSet, isOppositeSet] = watch([name, opposite]);

  function set(to: boolean) {
    setValue(name, to, { shouldDirty: true });
    if (to) setValue(opposite, false, { shouldDirty: true });
  }

  return (
    <Checkbox
      checked={isSet === true}
      onChange={set}
      disabled={isOppositeSet === true && !isSet}
      invalid={getFieldState(name, formState).invalid}
    >
      {ORDINALS[nth]}
    </Checkbox>
  );
}
