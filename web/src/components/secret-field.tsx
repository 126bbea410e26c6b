import { chakra } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { TextField } from './form.tsx';

const Show = chakra('button', {
  base: {
    fontSize: 'xs',
    lineHeight: '20px',
    color: 'fg.muted',
    borderRadius: 'sm',
    _hover: { color: 'fg' },
  },
});

type Props = { name: string; label: string; hint?: ReactNode; placeholder?: string | undefined };

/** A secret that is being entered: covered, unless one asks to see it. No browser keeps it. */
export function SecretField({ name, label, hint, placeholder }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      name={name}
      label={label}
      hint={hint}
      aside={
        <Show
          type="button"
          aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </Show>
      }
      placeholder={placeholder}
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}
