import { Text } from '@chakra-ui/react';
import { DeleteEntity } from '../delete-entity.tsx';
import { EMAIL_TEMPLATE } from './email-template.ts';

type Props = {
  template: { id: string; name: string };
  failure: string;
  leaves?: boolean;
  onClose: () => void;
};

export const DeleteTemplate = ({ template, ...props }: Props) => (
  <DeleteEntity {...props} entity={EMAIL_TEMPLATE} item={template} title="Confirm Deletion" confirm="Delete">
    <p>Are you sure you want to delete this template? This action cannot be undone.</p>
    <Text mt="2" color="fg" fontWeight="medium">
      {template.name}
    </Text>
  </DeleteEntity>
);
