import { Input } from '@chakra-ui/react';
import { type Ref, useState } from 'react';
import { readTime } from '../lib/time-of-day.ts';

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
