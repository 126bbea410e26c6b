import { DataList, Skeleton } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A grid of names and values: its children are `Fact`s. */
export const Facts = DataList.Root;

/** A name with its value, or with a placeholder while the value is loading. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue>{children ?? <Skeleton />}</DataList.ItemValue>
  </DataList.Item>
);
