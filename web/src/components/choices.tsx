import { Flex } from '@chakra-ui/react';
import { Button } from './button.tsx';

type Props<Value> = {
  label: string;
  choices: Record<string, Value>;
  value: Value;
  onChange: (value: Value) => void;
};

export const Choices = <Value,>({ label, choices, value, onChange }: Props<Value>) => (
  <Flex role="group" aria-label={label} wrap="wrap" gap="1">
    {Object.entries(choices).map(([name, choice]) => (
      <Button
        key={name}
        variant={choice === value ? 'solid' : 'outline'}
        aria-pressed={choice === value}
        onClick={() => onChange(choice)}
      >
        {name}
      </Button>
    ))}
  </Flex>
);
