import { Text } from '@chakra-ui/react';
import type { Automation } from '#shared/automation.ts';
import { DeleteEntity } from '../delete-entity.tsx';
import { AUTOMATION } from './automation.ts';

type Props = { automation: Automation; leaves?: boolean; onClose: () => void };

export const DeleteAutomation = ({ automation, ...props }: Props) => (
  <DeleteEntity
    {...props}
    entity={AUTOMATION}
    item={automation}
    confirm="Delete Automation"
    failure="Failed to delete automation. Please try again."
  >
    <p>Are you sure you want to delete this automation?</p>
    <Text mt="2">It sends nothing more. Its lists and its content stay. This cannot be undone.</Text>
  </DeleteEntity>
);
