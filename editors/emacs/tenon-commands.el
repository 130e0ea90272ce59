;;; tenon-commands.el --- Commands about tenon's server -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What the server is doing, its log, its model, and the languages it serves.

;;; Code:

(require 'subr-x)
(require 'tenon-options)
(require 'tenon-question)
(require 'tenon-server)
(require 'tenon-text)

(defun tenon-toggle-language ()
  "Turn tenon off or on for all buffers of this buffer's language."
  (interactive)
  (let ((language (or (tenon--language) (user-error "`%s' is not among `tenon-languages'"
                                                    major-mode))))
    (setq tenon--languages-off (if (member language tenon--languages-off)
                                   (remove language tenon--languages-off)
                                 (cons language tenon--languages-off)))
    (let ((off (member language tenon--languages-off)))
      (dolist (buffer (buffer-list))
        (with-current-buffer buffer
          (when (and (bound-and-true-p tenon-mode) (equal (tenon--language) language))
            (tenon-dismiss)
            (if off (tenon--close) (tenon--open)))))
      (force-mode-line-update t)
      (message "tenon: %s for %s" (if off "off" "on") language))))

(defun tenon-status ()
  "Say how it is with the server, this buffer and the last question."
  (interactive)
  (message "tenon: %s; last: %s" (tenon--reason) tenon--last))

(defun tenon-log ()
  "Show the log of the daemon, or what the server itself said last."
  (interactive)
  ;; A path that is empty or relative does not count, as in the program.
  (let* ((state (getenv "XDG_STATE_HOME"))
         (log (expand-file-name "tenon/daemon.log"
                                (if (and state (file-name-absolute-p state)) state
                                  "~/.local/state"))))
    (cond ((file-readable-p log)
           (view-file-other-window log)
           (goto-char (point-max)))
          (t (pop-to-buffer (get-buffer-create " *tenon stderr*"))))))

(defun tenon--run (&rest arguments)
  "Return what `tenon-program' prints with ARGUMENTS; an error if it fails."
  (with-temp-buffer
    (let ((status (apply #'call-process tenon-program nil t nil arguments)))
      (if (eql status 0)
          (buffer-string)
        (user-error "Tenon: %s" (string-trim (buffer-string)))))))

(defun tenon--models ()
  "Return the names of the models that are installed."
  (let (names)
    (dolist (line (split-string (tenon--run "model" "list" "--json") "\n" t))
      (let ((model (json-parse-string line :object-type 'plist :false-object nil)))
        (when (and (plist-get model :name) (plist-get model :installed))
          (push (plist-get model :name) names))))
    (nreverse names)))

(defun tenon-model (name)
  "Choose the model NAME and start the server anew."
  (interactive (list (completing-read "Model: " (tenon--models) nil t)))
  (let ((said (string-trim (tenon--run "model" "use" name)))
        (set (plist-get tenon-initialization-options :model)))
    (tenon-restart)
    (message "%s%s" said
             (if set
                 (format "; but `tenon-initialization-options' names %s, which counts" set)
               ""))))

(provide 'tenon-commands)
;;; tenon-commands.el ends here
