import { Input } from '@chakra-ui/react';
import { type Ref, useState } from 'react';

type Props = {
  ref?: Ref<HTMLInputElement>;
  name: string;
  value: string;
  onChange: (time: string) => void;
  onBlur: () => void;
};

/** A time of day from 00:00 to 23:59, whatever the locale of the browser: all texts about times have this format. */
export function TimeInput({ value, onChange, onBlur, ...rest }: Props) {
  // The parsed time is the value at once, so that nothing moves when a press of a button leaves the field.
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:MM"
      maxLength={8}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readTime(target.value));
      }}
      onBlur={() => {
        setTyped(undefined);
        onBlur();
      }}
    />
  );
}

const TYPED = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/i;

/** Parses 9, 930, 9.30 or 9:30 pm to the stored format 09:00. Any other text stays unchanged. */
export function readTime(typed: string): string {
  const [, hours, minutes = '00', half] = TYPED.exec(typed.trim()) ?? [];
  if (hours === undefined) return typed;
  const isPm = half?.toLowerCase().startsWith('p');
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isPm ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
