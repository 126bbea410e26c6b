import { DataList, Skeleton, Text } from '@chakra-ui/react';
import type { ComponentType, ReactNode } from 'react';

type Props = Pick<DataList.RootProps, 'orientation' | 'children' | 'aria-label'>;

/** Names and values side by side; or `vertical`: three in a line of a container with `containerType="inline-size"`. */
export const Facts: ComponentType<Props> = DataList.Root;

type FactProps = {
  name: ReactNode;
  /** The height while the value is loading, if it is more than one line. */
  minHeight?: string;
  children: ReactNode;
};

export const Fact = ({ name, minHeight, children }: FactProps) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue minHeight={minHeight}>{children ?? <Skeleton />}</DataList.ItemValue>
  </DataList.Item>
);

/** What is known in a few words, and below it what that is made of. */
export const Lines = ({ of }: { of: string[] }) => (
  <div>
    {of.map((text, nth) => (
      <Text key={text} textWrap="pretty" {...(nth > 0 && { color: 'fg.muted', fontWeight: 'normal' })}>
        {text}
      </Text>
    ))}
  </div>
);
