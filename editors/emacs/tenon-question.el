;;; tenon-question.el --- Questions for a suggestion -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A buffer has one question under way at most.  It is asked when typing rests, or
;; at once by `tenon-complete'.  An answer that comes when text or cursor have
;; changed is dropped.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)
(require 'subr-x)
(require 'tenon-options)
(require 'tenon-rest)
(require 'tenon-server)
(require 'tenon-suggestion)
(require 'tenon-text)

(defvar company-candidates)
(defvar-local tenon--question nil "The question under way: (TICK POINT), or nil.")
(defvar-local tenon--last "nothing was asked yet" "What became of the last question.")
(defvar-local tenon--seen nil "Tick and point after the last command.")
(defvar tenon--timer nil "Asks when typing rests.")

(defun tenon--reason ()
  "Return why nothing is suggested here, or how it is with the server."
  (let ((language (tenon--language)))
    (cond ((not language) (format "`%s' is not among `tenon-languages'" major-mode))
          ((member language tenon--languages-off)
           (format "off for %s; M-x tenon-toggle-language" language))
          ((not (bound-and-true-p tenon-mode)) "off for this buffer; M-x tenon-mode")
          (t (let ((action (plist-get tenon--state :action)))
               (concat (plist-get tenon--state :state)
                       (let ((reason (plist-get tenon--state :reason)))
                         (if (string-empty-p (or reason "")) "" (concat " (" reason ")")))
                       (if action (concat "; " action) "")))))))

(defun tenon--on-answer (buffer question result then)
  "Take the RESULT of QUESTION in BUFFER; call THEN with the suggestions."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      ;; A newer question has another object here.
      (when (eq question tenon--question)
        (setq tenon--question nil)
        (if (not (and (eq buffer (window-buffer))
                      (equal question (list (buffer-chars-modified-tick) (point)))))
            (setq tenon--last "the text changed before the answer came")
          (let ((suggestions (delq nil (mapcar #'tenon--from-item
                                               (plist-get result :items)))))
            (setq tenon--last (cond (suggestions "a suggestion")
                                    ((equal (plist-get tenon--state :state) "loading")
                                     "the model is loading")
                                    (t "nothing to offer here")))
            (funcall then suggestions)))))))

(defun tenon--ask (invoked then)
  "Ask for suggestions at the cursor and call THEN with them.
INVOKED: a person asks, and wants more than one."
  (if (not (and tenon--ready tenon--uri))
      (setq tenon--last (tenon--reason))
    (tenon--flush)
    (let ((buffer (current-buffer))
          (question (list (buffer-chars-modified-tick) (point))))
      (setq tenon--question question)
      (jsonrpc-async-request
       tenon--connection :textDocument/inlineCompletion
       (list :textDocument (list :uri tenon--uri)
             :position (tenon--position (point))
             :context (list :triggerKind (if invoked 1 2)))
       :timeout 60
       :success-fn (lambda (result) (tenon--on-answer buffer question result then))
       :error-fn (lambda (fault)
                   (when (buffer-live-p buffer)
                     (with-current-buffer buffer
                       (when (eq question tenon--question)
                         (setq tenon--question nil
                               tenon--last (plist-get fault :message))))))))))

(defun tenon--menu-p ()
  "Non-nil while a completion menu is open: that of company, of corfu, of Emacs."
  (or (bound-and-true-p company-candidates) completion-in-region-mode))

(defun tenon--show (suggestions)
  "Put the first of SUGGESTIONS on the screen."
  (tenon--clear)
  (when (and suggestions (not (tenon--menu-p)))
    (setq tenon--shown suggestions)
    (tenon--redraw)))

(defun tenon--ask-when-resting (buffer)
  "Ask for a suggestion in BUFFER if the user is there."
  (when (and (buffer-live-p buffer) (eq buffer (window-buffer)))
    (with-current-buffer buffer
      (when (and (bound-and-true-p tenon-mode) (not tenon--shown) (not (tenon--menu-p))
                 (not (use-region-p)))
        (tenon--ask nil #'tenon--show)))))

(defun tenon--post-command ()
  "Keep the suggestion where the user typed along it, else ask anew."
  (let ((now (list (buffer-chars-modified-tick) (point))))
    (unless (equal now tenon--seen)
      (let ((edited (and tenon--seen (/= (car now) (car tenon--seen)))))
        (setq tenon--seen now)
        (when edited (setq tenon--told (cons tenon--uri now)))
        (unless (or (and tenon--shown (tenon--redraw)) (equal now tenon--question))
          (setq tenon--question nil)
          (when tenon--timer (cancel-timer tenon--timer))
          (when (and edited tenon-automatic (not buffer-read-only))
            (setq tenon--timer (run-with-timer tenon-idle-delay nil #'tenon--ask-when-resting
                                               (current-buffer)))))))))

(defun tenon-dismiss ()
  "Take the suggestion away."
  (interactive)
  (when tenon--timer (cancel-timer tenon--timer))
  (setq tenon--question nil)
  (tenon--clear))

(defun tenon--dismiss-all ()
  "Take the suggestions away in all buffers: their server is gone."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (bound-and-true-p tenon-mode) (tenon-dismiss)))))

(add-hook 'tenon--gone-hook #'tenon--dismiss-all)

(defun tenon-complete ()
  "Ask for a suggestion now."
  (interactive)
  (tenon-dismiss)
  (tenon--ask t (lambda (suggestions)
                  (tenon--show suggestions)
                  (setq tenon--all t))))

(defun tenon-next (&optional count)
  "Show another suggestion for this place, COUNT places further."
  (interactive "p")
  (when (tenon--redraw)
    (if (or tenon--all (cdr tenon--shown))
        (tenon--rotate (or count 1))
      (let ((first (car tenon--shown)))
        (tenon--ask t (lambda (suggestions)
                        (when (eq first (car tenon--shown))
                          (let ((rest (tenon--rest first)))
                            (setq tenon--all t
                                  tenon--shown
                                  (cons first (cl-remove rest suggestions :key #'tenon--rest
                                                         :test #'equal)))
                            (tenon--rotate (or count 1))))))))))

(defun tenon-previous (&optional count)
  "Show the suggestion that is COUNT places before this one."
  (interactive "p")
  (tenon-next (- (or count 1))))

(provide 'tenon-question)
;;; tenon-question.el ends here
