import { Box } from '@chakra-ui/react';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import { mayHave, type Role, SCOPE_NAMES, type Scope } from '#shared/permissions.ts';
import { SCOPE_TEXTS } from '#shared/scope-texts.ts';
import { Checkbox } from '#web/components/checkbox.tsx';

type Props = { role: Role; offered?: readonly Scope[] };

/** What a token may do, of what is offered: the field `scopes` of a form. */
export function ScopesField({ role, offered = SCOPE_NAMES }: Props) {
  const id = useId();
  const { field, fieldState } = useController<{ scopes: Scope[] }, 'scopes'>({ name: 'scopes' });
  const { value, onChange, ref } = field;
  const change = (scope: Scope, isChosen: boolean) =>
    onChange(SCOPE_NAMES.filter(one => (one === scope ? isChosen : value.includes(one))));
  return (
    <Box as="fieldset" minWidth="0" mb="4" aria-describedby={`${id}-error`}>
      <Box as="legend" fontSize="sm" fontWeight="medium">
        Access
      </Box>
      {offered.map(scope => (
        <Box key={scope} mt="2">
          <Checkbox
            ref={scope === offered[0] ? ref : undefined}
            checked={value.includes(scope)}
            invalid={fieldState.invalid}
            disabled={!mayHave(role, scope)}
            onChange={isChosen => change(scope, isChosen)}
            aria-describedby={`${id}-${scope}`}
          >
            {SCOPE_TEXTS[scope].name}
          </Checkbox>
          <Box id={`${id}-${scope}`} ps="6" color="fg.muted" fontSize="xs">
            {mayHave(role, scope) ? SCOPE_TEXTS[scope].about : 'Your role in this organization lacks it.'}
          </Box>
        </Box>
      ))}
      <Box id={`${id}-error`} role="alert" mt="1" minHeight="5" color="fg.error" fontSize="xs">
        {fieldState.error?.message}
      </Box>
    </Box>
  );
}
