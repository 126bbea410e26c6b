import { PRODUCT } from '#shared/brand.ts';

export type LegalDocument = {
  title: string;
  updated: string;
  /** The text of each section by its title: a string is a paragraph, an array is a list. */
  sections: Record<string, (string | string[])[]>;
};

export const termsAndConditions: LegalDocument = {
  title: 'Terms and Conditions',
  updated: 'April 15th, 2025',
  sections: {
    '1. Who these terms are between': [
      `These terms are an agreement between you and the provider of ${PRODUCT}, a Finnish company (“the provider”, “we”). If you use ${PRODUCT} for an organization, you accept them on its behalf as well, and confirm that you may do so; “you” then means that organization too.`,
      'By creating an account, or by accepting these terms in the service, you agree to them and to the Privacy Policy. If you do not agree, do not use the service.',
    ],
    '2. What the service is': [
      `${PRODUCT} is an email automation and marketing platform. You keep lists of contacts in it, set up automations that send emails to those contacts on a schedule, and read reports on what was sent. Emails are sent through a mail-sending provider with a sending key that you supply; your agreement with that provider is your own.`,
      'The service records opens with a tracking pixel, an image of one by one pixel in each email, and clicks with redirect links, which lead through the service to the address you chose.',
      'The service is hosted in the European Union.',
    ],
    '3. Alpha phase': [
      'The service is in an alpha phase with limited access. Only addresses whose domain has been admitted, and people who have been invited to an organization, may register. Features may change, be interrupted or be withdrawn, and there is no commitment to any level of availability. Keep your own copy of what you cannot afford to lose.',
    ],
    '4. Your account': [
      'You must be at least 18 years old to use the service.',
      'You sign in with a one-time code that is sent to your email address. Anybody who can read that mailbox can sign in as you, so keep it safe. You answer for what is done with your account and with your API tokens. Tell us without delay if you believe that someone else uses them; you can end sessions and delete tokens yourself at any time.',
      'The owner and the administrators of an organization decide who belongs to it. Members of an organization see its lists, automations and content.',
    ],
    '5. What you may send': [
      'You are the sender of your emails, and responsible for them. In particular you agree:',
      [
        'to send only to people who have agreed to receive your emails, or whom you may lawfully write to for another reason;',
        'to name yourself truthfully as the sender, and to use only domains that you are entitled to use;',
        'to keep the unsubscribe link in every email, and not to write again to people who have unsubscribed;',
        'not to send anything unlawful, deceptive or harmful, and nothing that infringes the rights of others;',
        'not to put special categories of personal data, such as data on health, into the service;',
        'not to disturb or overload the service, nor to work around its limits.',
      ],
      'We may hold back sending, or suspend an account or an organization, where we have good reason to believe that these rules are broken or that the service or others are put at risk. Where we can, we tell you beforehand and give you the chance to put it right.',
    ],
    '6. Personal data of your contacts': [
      'For the personal data of your contacts you are the controller and the provider is the processor within the meaning of the General Data Protection Regulation (GDPR). This section is the agreement that its Article 28 requires.',
      [
        'Subject and duration: storing contacts, sending emails and recording opens, clicks, unsubscribes, bounces and complaints, for as long as you use the service. Concerned are the people on your lists, with their email addresses, the details you store with them and their history.',
        'Instructions: we process this data only to provide the service as you set it up, and as the law requires of us.',
        'Confidentiality and security: those who have access are bound to confidentiality, and we keep appropriate technical and organizational measures, such as encryption in transit and at rest and the separation of organizations.',
        'Other processors: you agree that we use a hosting provider in the European Union, bound to the same duties. We tell you of an intended change in the service, and you may object by ending your use. Your mail-sending provider acts for you, not for us.',
        'Assistance: we help you to answer requests of the people concerned and to meet your duties on security, breach notification and impact assessments. We tell you without undue delay of a breach that concerns your data.',
        'Deletion: data is kept until you delete it. When you delete contacts, lists or an organization, or your use ends and you ask for it, we delete the data unless the law requires us to keep it.',
        'Verification: we give you the information that is needed to show that these duties are met, and allow for audits of a reasonable extent.',
      ],
      'You must have a legal basis for the data you put in and for the tracking of opens and clicks, and inform your contacts of both.',
    ],
    '7. Your content': [
      'What you put into the service remains yours. You allow us to store, render and send it as far as providing the service requires. The service itself, its software and its name remain the provider’s.',
    ],
    '8. Fees': [
      'Where a fee has been agreed for your use, it is due as agreed. Fees that have been paid are not refunded, also when you stop using the service before the end of a paid period, unless mandatory law says otherwise. What your mail-sending provider charges is a matter between you and them.',
    ],
    '9. Warranty and liability': [
      'The service is provided as it is and as it is available. We do not warrant that it is free of errors or fit for a particular purpose, that emails are delivered, or that opens and clicks are recorded completely; many mail programs load images by themselves or not at all.',
      'We are not liable for indirect or consequential loss, such as lost profit, revenue, data or reputation. Our liability in total is limited to the fees you paid for the service in the 12 months before the event that gave rise to it.',
      'Nothing in these terms limits liability that cannot be limited by law, such as liability for intent or gross negligence.',
      'You compensate us for claims of third parties that arise from what you send or from your breach of these terms.',
    ],
    '10. Ending': [
      'You may stop using the service at any time. We may end the agreement with reasonable notice, and at once if you breach it materially. Data is kept until it is deleted; delete yours before you leave, or ask us to.',
    ],
    '11. Changes to these terms': [
      'We may change these terms. We tell you in the service before a change that matters takes effect. If you do not agree with a change, stop using the service; continued use means that you accept it.',
    ],
    '12. Law and disputes': [
      'The laws of Finland apply, without its rules on the conflict of laws. Disputes are settled by the courts of Finland. If you are a consumer, the mandatory rights of the country you live in remain yours.',
      'If a part of these terms is not valid, the rest stays in force.',
    ],
    '13. Contact': [
      `Questions about these terms go to the person who gave you access to ${PRODUCT}: your contact at the provider, or the owner of your organization, who has such a contact.`,
    ],
  },
};

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
      'The service sets no cookies, and uses no analytics or advertising of others. It keeps in the local storage of your browser, each under its name:',
      [
        'token: your session. activeOrganizationId: the organization you work in. templateData: a template that you duplicate, until its form is open.',
        'sidebarCollapsed: whether the sidebar is folded. theme: light or dark, if you have chosen one. membersPageSize and membersColumns: how many members a page of a list shows, and which of their details.',
      ],
      'In its session storage, which ends with the tab, dismissedInvitations names the invitations whose notice you have closed. Signing out removes all of these but those of the second line.',
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
