import { chakra } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { TextField } from './text-field.tsx';

type Props = { name: string; label: string; hint?: ReactNode; placeholder?: string | undefined };

/** An input for a secret: masked until it is revealed, and without autofill. */
export function SecretField({ name, label, hint, placeholder }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      aside={
        <chakra.button
          type="button"
          fontSize="xs"
          lineHeight="20px"
          color="fg.muted"
          borderRadius="sm"
          _hover={{ color: 'fg' }}
          aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </chakra.button>
      }
      placeholder={placeholder}
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}
