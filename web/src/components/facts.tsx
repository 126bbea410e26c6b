import { DataList, Skeleton } from '@chakra-ui/react';
import type { ComponentType, ReactNode } from 'react';

type Props = Pick<DataList.RootProps, 'orientation' | 'children' | 'aria-label'>;

/**
 * A grid of names and values: beside each other, or `vertical` in the three columns of a `containerType="inline-size"`
 * that is wide enough.
 */
export const Facts: ComponentType<Props> = DataList.Root;

type FactProps = {
  name: ReactNode;
  /** The height that is kept while the value is loading, where it is more than a line. */
  minHeight?: string;
  children: ReactNode;
};

/** A name with its value, or with a placeholder while the value is loading. */
export const Fact = ({ name, minHeight, children }: FactProps) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue minHeight={minHeight}>{children ?? <Skeleton />}</DataList.ItemValue>
  </DataList.Item>
);
