import { PRODUCT } from '#shared/brand.ts';
import type { LegalDocument } from './legal-text.tsx';

export const privacyPolicy: LegalDocument = {
  title: 'Privacy Policy',
  updated: 'April 15th, 2025',
  sections: {
    '1. Who is responsible': [
      `${PRODUCT} is provided by a Finnish company (“the provider”, “we”). Two kinds of people meet in it, and the responsibility differs.`,
      [
        `Users, who sign in to ${PRODUCT}: for their account data the provider is the controller.`,
        'Contacts, who receive emails that users send: for their data the user, or the organization the user works for, is the controller. The provider is the processor and acts on the user’s instructions.',
      ],
      'If you are a contact and want to know about your data, or have it corrected or deleted, please turn to the sender of the email. Each email carries a link to unsubscribe.',
    ],
    '2. What we process about users': [
      [
        'Account: your name, your email address, when you accepted the terms, the organizations you belong to and your role in them.',
        'Sign-in: one-time codes (stored as a hash, from which they cannot be read, and valid for 10 minutes), your sessions with the kind of browser and when they were last used, and API tokens (stored as a hash too).',
        'What you create: lists, automations, content, settings and logos.',
        'Technical logs: time, kind of call and outcome of requests, to run the service and keep it secure. They hold no email addresses and no codes.',
      ],
      'The legal basis is the agreement with you, and our legitimate interest in running a secure service.',
    ],
    '3. What is processed about contacts': [
      [
        'The email address, and the details that the user stores with it.',
        'The history: when the contact was subscribed, which emails were sent, and opens, clicks, unsubscribes, bounces and complaints.',
      ],
      'A tracking pixel, an image of one by one pixel in an email, shows that the email was opened. Redirect links lead through the service to their destination and show that they were followed. A contact can prevent the first by not loading images, and the second by not following the links.',
      'The user, as the controller, is responsible for the legal basis of this.',
    ],
    '4. What is stored in your browser': [
      'The service sets no cookies, and uses no analytics or advertising of others. While you are signed in, it keeps in the local storage of your browser: the token of your session, the organization you work in, whether the sidebar is folded, and how many members a page of a list shows. Signing out removes the first two.',
    ],
    '5. Where it is processed, and by whom': [
      'The service is hosted in the European Union. The hosting provider processes data on our behalf and under an agreement.',
      'Emails to contacts are sent through the mail-sending provider that the user has chosen and whose sending key the user supplied. That provider receives the address and the content of each email; where it processes them depends on the user’s agreement with it.',
      'We do not sell personal data. We hand it to authorities only where the law obliges us to.',
    ],
    '6. How long it is kept': [
      'Data is retained indefinitely, until it is deleted. Users can delete contacts, lists, content and API tokens themselves, and owners can delete their organizations. Sessions end after 30 days without use. If you want your account deleted, ask us.',
    ],
    '7. How it is protected': [
      'Connections are encrypted, and data is stored encrypted. Sending keys are encrypted once more and cannot be read back by anyone. The data of each organization is kept apart, and only its members have access to it. Access of our own people is limited to what running the service requires.',
    ],
    '8. Your rights': [
      'You have the right to know which data about you is processed and to receive a copy of it, to have it corrected or deleted, to have its processing restricted, to object to it, and to receive what you provided in a common format. Contacts exercise these rights towards the sender of their emails; we help the sender to answer.',
      'If you believe that your data is handled unlawfully, you may complain to a supervisory authority. In Finland that is the Office of the Data Protection Ombudsman.',
    ],
    '9. Age': [
      'The service is for people of 18 years and older. We do not knowingly keep accounts of younger people.',
    ],
    '10. Changes and contact': [
      'We may change this policy, and tell users in the service before a change that matters takes effect.',
      `Questions and requests go to the person who gave you access to ${PRODUCT}: your contact at the provider, or the owner of your organization, who has such a contact.`,
    ],
  },
};
