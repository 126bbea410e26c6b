import { Box, Flex, Input } from '@chakra-ui/react';

type Days = { from: string; to: string };
type Props = Days & { onChange: (changed: Partial<Days>) => void };

const NAMES = { from: 'From', to: 'To' };

/** The first and the last day in UTC. On a phone, both share a line, each below its label. */
export function DayFilters({ from, to, onChange }: Props) {
  const days = { from: { value: from, max: to || undefined }, to: { value: to, min: from || undefined } };
  return (
    <Flex gap="3" width={{ base: 'full', sm: 'auto' }}>
      {(['from', 'to'] as const).map(name => (
        <Flex
          key={name}
          direction={{ base: 'column', sm: 'row' }}
          align={{ base: 'stretch', sm: 'center' }}
          gap={{ base: '0.5', sm: '1.5' }}
          flex={{ base: '1 1 0', sm: 'none' }}
          minWidth="0"
          color="fg.muted"
        >
          <Box as="span" aria-hidden>
            {NAMES[name]}
          </Box>
          <Input
            type="date"
            aria-label={`${NAMES[name]}, a day in UTC`}
            width={{ base: 'full', sm: '136px' }}
            {...days[name]}
            onChange={event => onChange({ [name]: event.target.value })}
          />
        </Flex>
      ))}
    </Flex>
  );
}
