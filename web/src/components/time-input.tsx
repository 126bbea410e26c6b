import { Input } from '@chakra-ui/react';
import type { KeyboardEvent, Ref } from 'react';
import { readTime } from '../lib/time-of-day.ts';

type Props = {
  ref?: Ref<HTMLInputElement>;
  name: string;
  value: string;
  onChange: (time: string) => void;
  onBlur: () => void;
};

/** A time of day from 00:00 to 23:59, whatever clock the browser shows: all texts about it have this one. */
export function TimeInput({ value, onChange, onBlur, ...rest }: Props) {
  const complete = () => {
    if (readTime(value) !== value) onChange(readTime(value));
  };
  return (
    <Input
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:MM"
      maxLength={8}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => {
        complete();
        onBlur();
      }}
      // Enter sends the form.
      onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && complete()}
    />
  );
}
